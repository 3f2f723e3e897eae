-- Links between pages lead to the HTML of them, and the first heading is the title of the page. What may be wider than
-- the window of a telephone gets the focus, so that it can be moved by keys.
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

local title

return {{
    Link = function(link)
        link.target = page(link.target)
        return link
    end,
    CodeBlock = function(block)
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
