// Where MuJoCo's step is that of another slope of its fluid forces than the true one.
//
// The implicit integrators solve (M - h D) a' = M a with D the slope of the forces by velocity. In that of the ellipsoid model of fluids MuJoCo divides by
// max(1e-15, ..), which alters the slope of the seen area where a geom is small or slow; ours is the exact one. Then the step with the exact one follows
// from MuJoCo's own:
//
//     v_true = v' + h d,     (M - h (D + E)) d = h E a',     E = slope of qfrc_fluid by central differences - MuJoCo's slope of it
//
// With implicitfast slopes count symmetrised, except those of bodies that float alone: E comes as both.
const [IMPLICIT, IMPLICITFAST] = [2, 3], STEP = 1e-5;

// a matrix of CSR parts as rows
const dense = (n, rownnz, rowadr, colind, value) => Array.from({ length: n }, (_, i) => {
    const row = new Float64Array(n);
    for (let k = rowadr[i]; k < rowadr[i] + rownnz[i]; k++)
        row[colind[k]] = value[k];
    return row;
});

const inertia = (m, d) => {
    const lower = dense(m.nv, m.M_rownnz, m.M_rowadr, m.M_colind, d.M);
    return lower.map((row, i) => row.map((x, k) => k > i ? lower[k][i] : x));
};

// A x = b by elimination with the largest pivots
function solve(A, b)
{
    const rows = A.map((row, i) => [...row, b[i]]), n = b.length;
    for (let k = 0; k < n; k++) {
        const best = rows.slice(k).reduce((most, row, i) => Math.abs(row[k]) > Math.abs(rows[most][k]) ? k + i : most, k);
        [rows[k], rows[best]] = [rows[best], rows[k]];
        for (let i = k + 1; i < n; i++) {
            const factor = rows[i][k] / rows[k][k];
            for (let j = k; j <= n; j++)
                rows[i][j] -= factor * rows[k][j];
        }
    }
    for (let k = n - 1; k >= 0; k--) {
        for (let j = k + 1; j < n; j++)
            rows[k][n] -= rows[k][j] * rows[j][n];
        rows[k][n] /= rows[k][k];
    }
    return rows.map(row => row[n]);
}

// MuJoCo's slope of all forces in a step from here
function slope(mujoco, m, from)
{
    const d = from();
    mujoco.mj_step(m, d);
    const D = dense(m.nv, m.D_rownnz, m.D_rowadr, m.D_colind, d.qDeriv);
    d.delete();
    return D;
}

function trueFluidSlope(mujoco, m, from)
{
    const d = from(), v = Array.from(d.qvel), columns = [];
    for (let j = 0; j < m.nv; j++) {
        const [right, left] = [STEP, -STEP].map(step => {
            d.qvel.set(v.map((x, i) => i === j ? x + step : x));
            mujoco.mj_forward(m, d);
            return Array.from(d.qfrc_fluid);
        });
        columns.push(right.map((x, i) => (x - left[i]) / (2 * STEP)));
    }
    d.delete();
    return columns[0].map((_, i) => columns.map(column => column[i]));
}

// The velocities after the step with the true slope: none if MuJoCo's has no fluid in it. from() is MuJoCo's data at the beginning of the step.
export function withTrueFluidSlope(mujoco, m, from)
{
    const { integrator, density, viscosity, timestep: h } = m.opt, n = m.nv;
    if ((integrator !== IMPLICIT && integrator !== IMPLICITFAST) || (density === 0 && viscosity === 0))
        return [];
    const here = from(), v = Array.from(here.qvel);
    mujoco.mj_step(m, here);
    const next = Array.from(here.qvel), mean = next.map((x, i) => (x - v[i]) / h);
    here.delete();
    const start = from();
    mujoco.mj_forward(m, start);
    const M = inertia(m, start), D = slope(mujoco, m, from), exact = trueFluidSlope(mujoco, m, from);
    start.delete();
    m.opt.integrator = IMPLICIT;
    const whole = slope(mujoco, m, from);
    [m.opt.density, m.opt.viscosity] = [0, 0];
    const dry = slope(mujoco, m, from);
    [m.opt.integrator, m.opt.density, m.opt.viscosity] = [integrator, density, viscosity];
    const E = exact.map((row, i) => row.map((x, k) => x - (whole[i][k] - dry[i][k])));
    const symmetric = E.map((row, i) => row.map((x, k) => 0.5 * (x + E[k][i])));
    return (integrator === IMPLICIT ? [E] : [symmetric, E]).map(e => {
        const A = M.map((row, i) => Array.from(row, (x, k) => x - h * (D[i][k] + e[i][k])));
        const change = solve(A, e.map(row => h * row.reduce((sum, x, k) => sum + x * mean[k], 0)));
        return next.map((x, i) => x + h * change[i]);
    });
}
