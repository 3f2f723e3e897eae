// A sample of the models beside MuJoCo 3.12 with compat="3.12": see agreement_312.mjs.
process.argv.splice(2, process.argv.length, '2', '3.12', '6');
await import('./agreement_312.mjs');
