// Differences of configurations in the tangent space of a MuJoCo model.
const FREE = 0, BALL = 1; // mjtJoint

// The rotation from quaternion p to q as a rotation vector:  log(conj(p) q)
function rotation(p, q)
{
    const w = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
    const v = [p[0] * q[1] - p[1] * q[0] - p[2] * q[3] + p[3] * q[2],
               p[0] * q[2] + p[1] * q[3] - p[2] * q[0] - p[3] * q[1],
               p[0] * q[3] - p[1] * q[2] + p[2] * q[1] - p[3] * q[0]];
    const s = Math.hypot(...v), angle = 2 * Math.atan2(s, Math.abs(w));
    return v.map(x => s > 0 ? Math.sign(w) * angle * x / s : 0);
}

// q - p in the tangent space
export function difference(m, p, q)
{
    const d = [];
    for (let j = 0; j < m.njnt; j++) {
        const type = m.jnt_type[j];
        let adr = m.jnt_qposadr[j];
        for (let k = 0; k < (type === FREE ? 3 : type === BALL ? 0 : 1); k++, adr++)
            d.push(q[adr] - p[adr]);
        if (type <= BALL)
            d.push(...rotation(p.slice(adr, adr + 4), q.slice(adr, adr + 4)));
    }
    return d;
}

export const largest = x => x.reduce((a, b) => Math.abs(b) <= a ? a : Math.abs(b), 0); // NaN wins
