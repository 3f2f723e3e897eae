-- Links between pages lead to the HTML of them, and the first heading is the title of the page. What may be wider than
-- the window of a telephone gets the focus, so that it can be moved by keys. Equations are TeX, written as GitHub reads
-- them: a block of code of the class math, and in a line code between two $.
local function page(target)
    if target:match('^%a+:') then
        return target
    end
    target = target:gsub('%.md$', '.html'):gsub('%.md#', '.html#')
    return (target:gsub('README%.html', 'index.html'))
end

local NARROW = 36 -- letters

local function is_wide(text)
    for line in (text .. '\n'):gmatch('(.-)\n') do
        if utf8.len(line) > NARROW then
            return true
        end
    end
    return false
end

-- Code between two $ is an equation in a line.
local function with_equations(inlines)
    local i = 2
    while i < #inlines do
        local before, code, after = inlines[i - 1], inlines[i], inlines[i + 1]
        if code.t == 'Code' and before.t == 'Str' and before.text:match('%$$') and after.t == 'Str' and
            after.text:match('^%$') then
            before.text = before.text:sub(1, -2)
            after.text = after.text:sub(2)
            inlines[i] = pandoc.Math('InlineMath', code.text)
        end
        i = i + 1
    end
    return inlines
end

local title

return {{
    Inlines = with_equations,
    Link = function(link)
        link.target = page(link.target)
        return link
    end,
    CodeBlock = function(block)
        if block.classes:includes('math') then
            local equation = pandoc.Para({ pandoc.Math('DisplayMath', block.text) })
            return pandoc.Div({ equation }, pandoc.Attr('', { 'equation' }, { tabindex = '0' }))
        end
        if is_wide(block.text) then
            block.attributes.tabindex = '0'
        end
        return block
    end,
    Table = function(wide)
        wide.attr.attributes.tabindex = '0'
        return wide
    end,
    Header = function(header)
        if header.level == 1 and not title then
            title = pandoc.utils.stringify(header)
        end
    end,
    Meta = function(meta)
        meta.pagetitle = title
        return meta
    end
}}
