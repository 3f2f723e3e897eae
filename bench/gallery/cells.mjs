// What the tables of docs/robots.md are made of.
export { anchor, bold, digits, figure, required, small, title, yes };

const digits = (x, n) => (x === null || x === undefined ? "-" : Number(x.toPrecision(n)).toString());
const small = (x) => (x !== 0 && Math.abs(x) < 1e-3 ? x.toExponential(0) : digits(x, 1));
const bold = (text, is) => (is ? `**${text}**` : text);
const required = (found, name) => found.requirements?.find((r) => r.name === `require/${name}`);

function figure(found, name, scale, n) {
    const r = required(found, name);
    return r === undefined ? "-" : bold(digits(scale * r.found, n), !r.met);
}

const yes = (is) => (is ? "yes" : "**no**");
const title = (r) => [r.robot, r.task, ...r.options].join(" ");
// The robot's name, which leads to the section of its motion
const anchor = (r) => `[${r.robot}](#${title(r).toLowerCase().replace(/[^\w\- ]/g, "").replaceAll(" ", "-")})`;
