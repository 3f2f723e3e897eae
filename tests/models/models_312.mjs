// Our models in MuJoCo 3.12: they load, weigh what they should, and stand on the floor.
import { check, done, model, near, oracle, run } from '../oracle/mujoco.mjs';

const mujoco = await oracle();
const BODY = 1, GEOM = 5, PLANE = 0, SPHERE = 2;
const name = (m, type, id) => mujoco.mj_id2name(m, type, id);

// Height of the lowest point of a sphere or capsule
function lowest(m, d, geom)
{
    const z = d.geom_xpos[3 * geom + 2], radius = m.geom_size[3 * geom];
    const half = m.geom_type[geom] === SPHERE ? 0 : m.geom_size[3 * geom + 1];
    return z - half * Math.abs(d.geom_xmat[9 * geom + 8]) - radius;
}

for (const [file, mass, nv, nu, feet] of [
    ['pendulum', 1, 1, 1, 0], ['hopper', 20, 7, 4, 1], ['walker', 70, 9, 6, 2], ['person', 70, 27, 21, 4]]) {
    run(`${file}_loads_and_stands`, () => {
        const m = model(mujoco, `models/${file}.xml`), d = new mujoco.MjData(m);
        near(m.body_mass.reduce((a, b) => a + b), mass, 1e-12 * mass, 'mass');
        check(m.nv === nv && m.nu === nu, `nv ${m.nv}, nu ${m.nu}`);
        d.qpos.set(m.key_qpos.slice(0, m.nq));
        mujoco.mj_forward(m, d);
        let touching = 0;
        for (let geom = 0; geom < m.ngeom; geom++) {
            if (m.geom_type[geom] === PLANE)
                continue;
            check(lowest(m, d, geom) > -1e-3, `${name(m, GEOM, geom)} is above the floor`);
            touching += Math.abs(lowest(m, d, geom)) < 1e-3;
        }
        check(touching === feet, `${touching} feet touch the floor`);
        check(name(m, BODY, 1) !== '', 'bodies have names');
    });
}
done();
