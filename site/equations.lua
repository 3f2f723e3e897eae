-- Equations become MathML, which browsers show without a script. They are TeX, written in the two ways that GitHub knows and
-- in which Markdown changes nothing: a block of code of the class math, and in a line code between two $.

-- What is higher than a line
local TALL = { '<mfrac', '<munder', '<mover', '<mtable', '<msqrt', '<msubsup' }
local OPEN, CLOSE = '<mo stretchy="true" form="prefix">', '<mo stretchy="true" form="postfix">'

local function is_tall(mathml)
    for _, tag in ipairs(TALL) do
        if mathml:find(tag, 1, true) then
            return true
        end
    end
    return false
end

-- The last place at which a text stands
local function find_last(text, what)
    local last
    for place in text:gmatch('()' .. what) do
        last = place
    end
    return last
end

-- pandoc lets all brackets grow; around what is no higher than a line they would be wide, and away from it. The first
-- bracket that closes, and the last one before it that opens, are a pair: done, it is spelled otherwise, then the next one is.
local function with_small_brackets(mathml)
    local close = mathml:find(CLOSE, 1, true)
    if not close then
        return (mathml:gsub('stretchy=grow', 'stretchy="true"'))
    end
    local head, tail = mathml:sub(1, close - 1), mathml:sub(close)
    local open = find_last(head, OPEN)
    if open then
        local size = is_tall(head:sub(open)) and 'grow' or '"false"'
        head = head:sub(1, open - 1) .. head:sub(open):gsub('"true"', size, 1)
        tail = tail:gsub('"true"', size, 1)
    else
        tail = tail:gsub('"true"', 'grow', 1)
    end
    return with_small_brackets(head .. tail)
end

local function equation(kind, tex)
    local document = pandoc.Pandoc({ pandoc.Plain({ pandoc.Math(kind, tex) }) })
    local mathml = pandoc.write(document, 'html', { html_math_method = 'mathml' })
    if not mathml:find('^<math') then
        error('pandoc cannot read this TeX: ' .. tex)
    end
    return pandoc.RawInline('html', with_small_brackets(mathml))
end

return {{
    Inlines = function(inlines)
        for i = 2, #inlines - 1 do
            local before, code, after = inlines[i - 1], inlines[i], inlines[i + 1]
            if code.t == 'Code' and before.t == 'Str' and before.text:match('%$$') and after.t == 'Str' and
                after.text:match('^%$') then
                before.text = before.text:sub(1, -2)
                after.text = after.text:sub(2)
                inlines[i] = equation('InlineMath', code.text)
            end
        end
        return inlines
    end,
    CodeBlock = function(block) -- one that is wider than the window gets the focus, so that it can be moved by keys
        if block.classes:includes('math') then
            local line = pandoc.Para({ equation('DisplayMath', block.text) })
            return pandoc.Div({ line }, pandoc.Attr('', { 'equation' }, { tabindex = '0' }))
        end
    end
}}
