// A sample of the models beside MuJoCo 3.14 under integrator="discrete": see agreement_312.mjs.
process.argv.splice(2, process.argv.length, '2', '3.14', '6', 'discrete');
await import('./agreement_312.mjs');
