// The player of a page in headless Chromium: its time, and what its charts say at a time or under the cursor.
export const wait = (ms) => new Promise((go) => setTimeout(go, ms));

export async function opened(browser, html, options)
{
    const page = await browser.open(`file://${html}`, options);
    for (let i = 0; i < 300 && !(await page.evaluate('document.getElementById("player").dataset.ready')); i++)
        await wait(100);
    page.ready = await page.evaluate('document.getElementById("player").dataset.ready');
    return page;
}

export const clock = (page) => page.evaluate('Number(document.querySelector("#player .scrub").value)');

// Sets the time and reads what the charts under that heading say there: { name: value }, one chart after the other
export const shown = (page, time, heading = 'Joints') => page.evaluate(`(async () => {
    const scrub = document.querySelector('#player .scrub'), found = {};
    const frame = () => new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
    const drawn = async () => { await frame(); await frame(); };
    const plot = [...document.querySelectorAll('#player .plot')].find((one) => one.querySelector('h3 span').textContent === '${heading}');
    const select = plot.querySelector('select');
    plot.scrollIntoView(); // a chart out of view is not made
    for (let i = 0; i < 100 && !plot.querySelector('.uplot'); i++)
        await frame();
    scrub.value = ${time};
    scrub.dispatchEvent(new Event('input'));
    for (let i = 0; i < (select?.options.length ?? 1); i++) {
        if (select) {
            select.value = i;
            select.dispatchEvent(new Event('change'));
        }
        await drawn();
        for (const row of plot.querySelectorAll('.u-series'))
            found[row.querySelector('.u-label').textContent] = Number(row.querySelector('.u-value').textContent);
    }
    return found;
})()`);

// Where the chart under that heading is drawn, on the screen: { x, y, width, height }, between its axes
const placeOf = (page, heading) => page.evaluate(`(async () => {
    const plot = [...document.querySelectorAll('#player .plot')].find((one) => one.querySelector('h3 span').textContent === '${heading}');
    const frame = () => new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
    for (let i = 0; i < 100 && !plot.querySelector('.uplot'); i++) { // charts above it are made, and grow
        plot.scrollIntoView({ block: 'center' });
        await frame();
    }
    plot.scrollIntoView({ block: 'center' });
    await frame();
    const { x, y, width, height } = plot.querySelector('.u-over').getBoundingClientRect();
    return { x, y, width, height };
})()`);

const mouse = (page, type, x, y, more = {}) => page.call('Input.dispatchMouseEvent', { type, x, y, ...more });
const BUTTON = { button: 'left', clickCount: 1 };

// The legend of that chart, with the mouse at this share of its width: { name: text }
export async function under(page, heading, share)
{
    const { x, y, width, height } = await placeOf(page, heading);
    await mouse(page, 'mouseMoved', x + Math.min(share * width, width - 1), y + height / 2); // the last pixel is still within
    await wait(60);
    return page.evaluate(`(() => {
        const plot = [...document.querySelectorAll('#player .plot')].find((one) => one.querySelector('h3 span').textContent === '${heading}');
        return Object.fromEntries([...plot.querySelectorAll('.u-series')].filter((row) => getComputedStyle(row).display !== 'none')
            .map((row) => [row.querySelector('.u-label').textContent, row.querySelector('.u-value').textContent]));
    })()`);
}

// Presses the mouse at one share of its width, and lets it go at another.
export async function drag(page, heading, from, to)
{
    const { x, y, width, height } = await placeOf(page, heading), middle = y + height / 2;
    await mouse(page, 'mouseMoved', x + from * width, middle);
    await mouse(page, 'mousePressed', x + from * width, middle, BUTTON);
    if (to !== from)
        await mouse(page, 'mouseMoved', x + to * width, middle, { ...BUTTON, buttons: 1 });
    await mouse(page, 'mouseReleased', x + to * width, middle, BUTTON);
    await wait(60);
}
