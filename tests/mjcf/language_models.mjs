// The models of language_314.mjs, in groups: mark, model or files, and what we say of one that we refuse (false: its arrays differ, as documented).
//     =  both load it as the same model, or both refuse it
//     <  only MuJoCo loads it
//     >  only we load it

// A model of these bodies, of sections after them and before them
const of = (bodies, after = '', before = '') => `<mujoco>${before}<worldbody>${bodies}</worldbody>${after}</mujoco>`;
const arm = (name = 'b', joint = 'j') => `<body name='${name}' pos='.1 .2 .3' euler='40 0 10'><joint name='${joint}' pos='.1 0 0' axis='1 2 3' range='-20 30'/><geom name='${name}g' type='capsule' size='.1 .2' pos='0 .1 0' euler='0 20 0'/><site name='${name}s' pos='1 0 0'/></body>`;
const turned = content => `<frame pos='1 2 3' euler='10 20 30'>${content}</frame>`;
const cable = (prefix, more = '') => `<composite prefix='${prefix}' type='cable' offset='1 0 0' vertex='0 0 0 -1 0 0 -2 0 0 -2 1 0' ${more}><joint kind='main' armature='.01'/><geom type='capsule' size='.02'/></composite>`;
const soft = `<default><default class='c'><geom density='2' group='3'/><joint damping='3'/></default><default class='d'><geom density='4'/></default></default>`;
const mesh = `<asset><mesh name='m' vertex='0 0 0 1 0 0 0 2 0 0 0 3'/></asset>`;

export const groups = {};

groups.frames = [
    ['=', of(`<frame/>`)],
    ['=', of(turned(`<geom size='.1'/><site pos='1 0 0'/><camera pos='1 0 0'/><light pos='1 0 0' dir='0 1 0'/>${arm()}`))],
    ['=', of(`<body name='r'>${turned(`<joint name='x' type='slide' axis='1 2 3' pos='.1 .2 .3'/><joint name='y' pos='.1 .2 .3' axis='0 1 1'/><geom size='.1'/><site pos='1 0 0'/><camera pos='1 0 0'/><light pos='1 0 0'/><inertial pos='.1 0 0' euler='10 0 0' mass='2' diaginertia='.1 .2 .25'/>${arm()}`)}</body>`)],
    ['=', of(`<body>${turned(`<freejoint/><geom size='.1'/>`)}</body>`)],
    ['=', of(`<body>${turned(`<joint type='free'/><geom size='.1'/>`)}</body>`)],
    ['=', of(`<body>${turned(`<joint type='ball' pos='1 0 0'/><geom size='.1'/>`)}</body>`)],
    ['=', of(turned(`<frame axisangle='1 2 3 40'><frame xyaxes='0 1 0 -1 0 0'><frame zaxis='1 2 3' pos='1 1 1'>${arm()}</frame></frame></frame>`))],
    ['=', of(`<frame quat='1 2 3 4'>${arm()}</frame>`)],
    ['=', of(`<frame quat='1 2 3 4' euler='1 2 3'>${arm()}</frame>`)],
    ['=', of(`<frame quat='0 0 0 0'>${arm()}</frame>`)],
    ['=', of(turned(`<geom type='capsule' size='.1' fromto='0 0 0 1 2 3'/><site type='capsule' size='.1' fromto='0 0 0 1 2 3'/>`))],
    ['=', of(`<frame childclass='c'>${arm()}<frame><geom size='.1'/></frame><frame childclass='d'><geom size='.1'/><geom class='c' size='.1'/></frame></frame>`, '', soft)],
    ['=', of(`<frame childclass='c'>${arm()}</frame>`)],
    ['=', of(`<frame name='f'/><frame name='f'/>`)],
    ['=', of(`<frame name='f'/><body name='f'><geom size='.1'/></body>`)],
    ['=', of(turned(`<body mocap='true'><geom size='.1'/></body>`))],
    ['=', of(`<body>${turned(`<body mocap='true'><geom size='.1'/></body>`)}</body>`)],
    ['=', of(`<frame><joint/></frame>`)],
    ['=', of(`<frame><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></frame>`)],
    ['<', of(`<body><frame><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></frame><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body>`), 'this is a second <inertial> of the same body'],
    ['=', of(turned(`<body name='b' pos='1 0 0'><freejoint/><geom size='.1'/></body>`), `<equality><weld body1='b'/><connect body1='b' anchor='1 2 3'/></equality><keyframe><key/></keyframe>`)],
    ['=', of(`<frame><foo/></frame>`)],
    ['<', of(`<frame quta='1 0 0 0'/>`), "unknown attribute 'quta' in <frame>"],
    ['=', of(turned(`<body><joint/><geom type='mesh' mesh='m' pos='1 0 0' euler='10 0 0'/></body>`), '', mesh)],
    ['=', of(turned(cable('d', `initial='free'`)))],
    ['=', of(`<body>${turned(cable('d'))}</body>`)],
    ['=', of(`<frame childclass='c' pos='1 2 3'>${cable('d')}</frame>`, '', soft)],
];

groups.copies = [
    ['=', of(`<site name='w'/><replicate count='3' offset='1 0 .1' euler='0 0 10'>${arm()}</replicate>`, `<tendon><fixed name='tf'><joint joint='j' coef='2'/></fixed><spatial name='ts'><site site='bs'/><site site='w'/></spatial></tendon><equality><joint joint1='j' polycoef='.1 0 0 0 0'/><weld body1='b'/><connect body1='b' anchor='0 0 .1'/><tendon tendon1='tf' polycoef='.1 1 0 0 0'/></equality><contact><exclude body1='b' body2='world'/></contact><actuator><motor name='a' joint='j'/><position tendon='tf' kp='3'/><motor site='bs' gear='1 2 3 0 0 0'/><muscle tendon='ts' lengthrange='.1 .9'/></actuator><sensor><jointpos joint='j'/><framepos objtype='site' objname='bs' reftype='site' refname='w'/><tendonpos tendon='ts'/><actuatorfrc actuator='a'/><subtreecom body='b'/></sensor>`)],
    ['=', of(`<replicate count='0'>${arm()}</replicate>`)],
    ['=', of(`<replicate count='1' offset='1 0 0'>${arm()}</replicate>`)],
    ['=', of(`<replicate count='-1'>${arm()}</replicate>`)],
    ['=', of(`<replicate count='1.5'>${arm()}</replicate>`)],
    ['=', of(`<replicate offset='1 0 0'>${arm()}</replicate>`)],
    ['=', of(`<replicate count='3'/>`)],
    ['=', of(`<replicate count='3' quat='1 0 0 0'/>`)], // it has no effect
    ['=', of(`<replicate count='2' sep='_' offset='0 1 0' euler='0 10 0'><replicate count='3' sep='-' offset='1 0 0' euler='20 0 0'>${arm()}</replicate></replicate>`, `<actuator><motor joint='j'/></actuator><sensor><jointpos joint='j'/></sensor>`)],
    ['=', of(`<body name='p'><freejoint/><geom size='.2'/><replicate count='4' euler='0 0 90'><geom type='capsule' size='.05' fromto='0 0 0 1 0 0'/><site name='q' pos='1 0 0'/><body pos='1 0 0' name='l'><joint name='k' axis='0 1 0'/><geom size='.1'/></body></replicate></body>`, `<actuator><motor joint='k'/></actuator><sensor><touch site='q'/><jointpos joint='k'/></sensor>`)],
    ['=', of(`<body name='p'><replicate count='3' offset='1 0 0' euler='0 0 90'><joint name='j' axis='1 0 0' pos='0 1 0'/></replicate><geom size='.2'/></body>`, `<actuator><motor joint='j'/></actuator>`)],
    ['<', of(`<body name='p'><joint/><geom size='.1'/><replicate count='1' euler='0 0 90'><frame><inertial pos='1 0 0' mass='1' diaginertia='1 2 2.5'/></frame></replicate></body>`), '<inertial> cannot stand in <replicate>'],
    ['=', of(turned(`<replicate count='3' offset='1 0 0' euler='0 0 90'>${arm()}</replicate>`), `<actuator><motor joint='j'/></actuator>`)],
    ['=', of(`<replicate count='3' offset='1 0 0' euler='0 0 90'>${turned(arm())}<frame name='f' pos='1 0 0'><geom size='.1'/></frame></replicate>`, `<actuator><motor joint='j'/></actuator>`)],
    ['=', of(`<replicate count='2' offset='1 0 0' childclass='c'><body><joint/><geom size='.1'/></body></replicate>`, '', soft)],
    ['=', of(`<body childclass='c'><replicate count='2' offset='1 0 0'><geom size='.1'/></replicate></body>`, '', soft)],
    ['<', of(`<replicate count='2' offset='1 0 0'><body><joint/><geom size='.1'/></body></replicate>`, `<keyframe><key qpos='1'/></keyframe>`), 'qpos needs 2 numbers, and has 1'],
    ['>', of(`<replicate count='2' offset='1 0 0'><body><joint/><geom size='.1'/></body></replicate>`, `<keyframe><key qpos='1 2'/></keyframe>`)],
    ['=', of(`<replicate count='3' offset='1 0 0'><light name='l' pos='0 0 1'/><camera name='c' pos='1 0 0'/></replicate>`, `<sensor><framepos objtype='camera' objname='c'/></sensor>`)],
    ['=', of(`<replicate count='3' offset='1 0 0'><body name='b'><geom size='.1'/></body><light name='l' pos='0 0 1' mode='targetbody' target='b'/></replicate>`)],
    ['=', of(`<geom name='f' type='plane' size='1 1 1'/><replicate count='3' offset='1 0 0'><body name='b'><freejoint/><geom name='g' size='.1'/></body></replicate>`, `<contact><pair geom1='g' geom2='f'/><exclude body1='b' body2='world'/></contact><sensor><contact geom1='g' geom2='f'/><distance geom1='g' geom2='f' cutoff='1'/><user dim='1' objtype='geom' objname='g'/></sensor>`)],
    ['=', of(`<replicate count='3' offset='1 0 0'><body name='b'><joint name='j'/><geom name='g' size='.1'/></body></replicate>`, `<actuator><motor joint='j0'/><motor joint='j2'/></actuator><sensor><jointpos joint='j1'/></sensor><equality><joint joint1='j0' joint2='j1'/></equality>`)],
    ['>', of(`<replicate count='3' offset='1 0 0'><body name='b'><joint name='j'/><geom name='g' size='.1'/></body></replicate><body><joint name='o'/><geom size='.1'/></body>`, `<equality><joint joint1='j' joint2='o'/></equality>`)],
    ['=', of(`<site name='w'/><replicate count='3' offset='1 0 0'>${arm()}</replicate>`, `<actuator><motor site='bs' refsite='w' gear='1 2 3 0 0 0'/></actuator>`), false], // MuJoCo drops this actuator
    ['=', of(`<replicate count='3' offset='1 0 0' euler='0 0 .5'><body><joint/><geom size='.1'/></body></replicate>`, '', `<compiler angle='radian' eulerseq='zyx'/>`)],
    ['=', of(`<replicate count='3' offset='1 0 0' euler='10 20 30'><body><joint/><geom size='.1'/></body></replicate>`, '', `<compiler eulerseq='ZYX'/>`)],
    ['=', of(`<replicate count='2' offset='1 0 0'><body name='m' mocap='true'><geom size='.1'/></body></replicate>`, `<sensor><framepos objtype='body' objname='m'/></sensor>`)],
    ['=', of(`<replicate count='2' offset='1 0 0'><body name='m'><joint/><geom name='g' type='sphere' size='.1'/><site name='a' pos='-1 0 .05'/></body><site name='c' pos='1 0 .05'/><site name='sd' pos='0 0 .3'/></replicate>`, `<tendon><spatial name='t'><site site='a'/><geom geom='g' sidesite='sd'/><site site='c'/></spatial></tendon><sensor><tendonpos tendon='t'/></sensor>`)],
    ['=', of(`<replicate count='2' offset='1 0 0'><body name='m'><joint/><geom name='g' size='.1'/><site name='c' pos='0 0 1'/></body><site name='s'/></replicate>`, `<actuator><motor cranksite='c' slidersite='s' cranklength='2'/><adhesion body='m' ctrlrange='0 1'/></actuator>`)],
    ['=', of(`<geom name='a' size='.1'/><replicate count='2' offset='0 1 0'><geom name='c' size='.2'/></replicate><geom name='d' size='.3'/><body name='x'><geom size='.1'/></body><replicate count='2' offset='0 1 0'><body name='y' gravcomp='.5' user='1'><joint/><geom size='.1'/><body name='yy'><geom size='.1'/></body></body></replicate><body name='z'><geom size='.1'/></body>`)],
    // cables
    ['=', of(`<replicate count='2' offset='0 1 0' euler='0 0 30'>${cable('d')}${cable('e')}</replicate>`, `<sensor><framepos objtype='body' objname='eB_1'/></sensor>`)],
    ['=', of(`<replicate count='11' offset='0 1 0' sep='-'>${cable('d')}</replicate>`, `<sensor><framepos objtype='body' objname='dB_1'/></sensor><equality><connect body1='dB_first' body2='dB_last' anchor='0 0 0'/></equality><contact><exclude body1='dB_first' body2='dB_last'/></contact><tendon><spatial><site site='dS_first'/><site site='dS_last'/></spatial></tendon>`)],
    ['=', of(`<replicate count='2' offset='0 1 0' euler='0 0 30'><replicate count='2' offset='0 0 1' sep='x'>${cable('d')}</replicate></replicate>`, `<sensor><framepos objtype='body' objname='dB_1'/><ballquat joint='dJ_1'/><framepos objtype='geom' objname='dG0'/></sensor>`)],
    ['=', of(`<replicate count='2' offset='0 1 0' euler='0 0 30'><body name='x'><geom size='.1'/>${cable('d')}</body></replicate>`, `<sensor><framepos objtype='body' objname='dB_10'/></sensor>`)],
    ['=', of(`<replicate count='2' offset='0 1 0' euler='0 0 30'>${cable('')}</replicate>`, `<sensor><framepos objtype='body' objname='B_1'/></sensor>`)],
];

const attached = (sub, how, before = '', after = '') => ({ 'model.xml': of(how, after, `<asset><model name='s' file='sub.xml'/></asset>${before}`), 'sub.xml': sub });
const put = `<attach model='s' body='b' prefix='p_'/>`, putWorld = `<attach model='s' prefix='p_'/>`, putFrame = `<attach model='s' frame='f' prefix='p_'/>`;
const framed = of(`<geom name='fl' type='plane' size='1 1 1'/>${turned(`<frame name='f' pos='0 0 1' euler='0 0 40'>${arm()}<geom name='x' size='.1'/></frame>`)}<frame name='g' euler='0 10 0'><site name='y' pos='1 0 0'/></frame>`, `<actuator><motor name='a' joint='j'/></actuator><sensor><jointpos name='se' joint='j'/></sensor><keyframe><key name='k' qpos='1'/></keyframe>`);
const classes = (inner, around = `<body name='r' childclass='c'><joint/>`, end = '</body>') => of(`${around}<geom size='.1'/>${inner}${end}`, '', soft);
const inner = `<frame name='f' pos='0 1 0'><geom size='.2'/><body name='b'><joint name='kj'/><geom size='.1'/></body></frame>`;

groups.sub_models = [
    ['=', attached(framed, put)],
    ['=', attached(framed, putWorld)],
    ['=', attached(framed, putFrame)],
    ['=', attached(framed, turned(putFrame))],
    ['=', attached(framed, `<attach model='s' frame='g' prefix='p_'/>`)],
    ['=', attached(framed, `<attach model='s' frame='z' prefix='p_'/>`), "there is no frame named 'z' in the sub-model 's'"],
    ['=', attached(framed, `<attach model='s' frame='f' body='b' prefix='p_'/>`), '<attach> has both a body and a frame'],
    ['=', attached(framed, `<attach model='s' bdoy='b' prefix='p_'/>`), "unknown attribute 'bdoy' in <attach>"],
    ['=', attached(framed, `<attach model='s' body='b'/>`)],
    ['=', attached(framed, `<attach model='s' body='b' prefix=''/>`)],
    ['=', attached(framed, turned(put))],
    ['=', attached(framed, `<body name='q'><joint/><geom size='.1'/>${turned(put)}</body>`)],
    ['=', attached(framed, `<frame childclass='e'>${put}</frame>`, `<default><default class='e'><geom density='3'/></default></default>`)],
    ['=', attached(framed, `${put}<attach model='s' body='b' prefix='q'/>`)],
    ['=', attached(classes(inner), putFrame)],
    ['=', attached(classes(inner), put)],
    ['=', attached(classes(inner, `<frame childclass='c' pos='1 2 3'>`, '</frame>'), put)],
    ['=', attached(classes(inner, `<frame childclass='c' pos='1 2 3'><body name='r'><joint/>`, '</body></frame>'), putFrame)],
    ['=', attached(classes(inner), `<body><joint/><geom size='.3'/>${turned(putFrame)}</body>`)],
    // what stands around a body of a sub-model's sub-model is of that
    ['=', { ...attached(of(`<body name='o'><geom size='.1'/><attach model='t' body='r' prefix='i_'/></body>`, '', `<compiler angle='radian'/><asset><model name='t' file='inner.xml'/></asset>`), `<attach model='s' body='i_b' prefix='p_'/>`), 'inner.xml': of(`<body name='r' childclass='c'><geom size='.1'/><body name='b' euler='10 20 30'><joint range='-10 10'/><geom size='.1' euler='0 20 0'/></body></body>`, '', soft) }],
    ['=', attached(of(`<body name='b'><frame name='f' pos='1 0 0' euler='0 0 90'><joint name='j'/><inertial pos='1 0 0' mass='2' diaginertia='1 1 1'/></frame></body>`), `<body name='x'><geom size='.1'/>${putFrame}</body>`)],
    ['=', attached(of(`<body name='b'><frame name='f' pos='1 0 0' euler='0 0 90'><joint name='j'/><geom size='.1'/></frame></body>`), putFrame)],
    ['=', attached(of(`<body name='b'><joint/><frame pos='1 0 0' euler='0 0 90'><inertial pos='1 0 0' mass='1' diaginertia='1 2 2.5'/></frame></body>`), put)],
    ['=', attached(of(`<replicate count='2' offset='1 0 0' euler='0 0 10'>${arm()}</replicate>`, `<actuator><motor name='a' joint='j'/></actuator>`), putWorld)],
    ['=', attached(of(`<replicate count='2' offset='1 0 0' euler='0 0 90'>${arm()}</replicate>`), `<attach model='s' body='b1' prefix='p'/>`)],
    ['=', attached(of(`<body name='b'><geom size='.1'/><replicate count='2' offset='1 0 0' euler='0 0 10'>${arm('c')}</replicate></body>`, `<actuator><motor name='a' joint='j'/></actuator><sensor><jointpos joint='j'/></sensor>`), put)],
    ['=', attached(of(`<body name='b'><frame childclass='c'><geom size='.1'/><joint/></frame></body>`, '', soft), put)],
    ['=', attached(of(`<body name='b'><geom size='.1'/><light name='l'/><camera name='c' mode='targetbody' target='b'/></body>`), put)],
    ['=', attached(of(`<body name='b'><freejoint name='f'/><geom size='.1'/></body>`), put)],
    ['=', attached(of(`<body name='b'><freejoint name='f'/><geom size='.1'/></body>`), `<body>${put}<geom size='.1'/></body>`)],
    ['=', attached(of(`<body name='b' mocap='true'><geom size='.1'/></body>`), put)],
    ['=', attached(of(`<body name='b' euler='.1 .2 .3'><joint range='-1 1'/><geom size='.1'/></body>`, '', `<compiler angle='radian' eulerseq='zyx'/>`), turned(put))],
    ['=', attached(of(turned(arm())), put)],
    // cables
    ['=', attached(of(`<body name='b'><geom size='.1'/>${cable('d')}</body>`, `<sensor><framepos objtype='body' objname='dB_1'/></sensor><equality><connect body1='dB_first' body2='b' anchor='0 0 0'/></equality>`), put)],
    ['=', attached(of(cable('d'), `<sensor><framepos objtype='body' objname='dB_1'/></sensor>`), putWorld)],
    ['=', attached(of(cable('').replace(`prefix=''`, ''), `<sensor><framepos objtype='body' objname='B_1'/></sensor>`), putWorld)],
    ['=', attached(of(`<body name='b'><geom size='.1'/></body>${cable('d')}`, `<sensor><framepos objtype='body' objname='dB_1'/></sensor>`), put)],
    ['=', attached(of(`<body name='b'><geom size='.1'/><replicate count='2' offset='0 1 0'>${cable('d')}</replicate></body>`, `<sensor><framepos objtype='body' objname='dB_1'/></sensor>`), put)],
    ['=', attached(of(`<body name='b'><geom size='.1'/>${cable('d')}</body>`, `<sensor><framepos objtype='body' objname='dB_1'/></sensor>`), `<replicate count='2' offset='0 3 0'>${put}</replicate>`)],
];

// everything that has user data, with two numbers
const users = (size = '') => `<mujoco><size ${size}/><worldbody><body name='b' user='1 2'><joint name='j' user='1 2' range='-1 1'/><geom name='g' size='.1' user='1 2'/><site name='s' user='1 2'/><site name='s2' pos='1 0 0'/><camera user='1 2'/></body></worldbody><tendon><fixed name='t' user='1 2'><joint joint='j' coef='1'/></fixed><spatial user='1 2'><site site='s'/><site site='s2'/></spatial></tendon><actuator><motor joint='j' user='1 2'/><general joint='j' user='1 2'/><position joint='j' user='1 2'/><velocity joint='j' user='1 2'/><intvelocity joint='j' user='1 2' actrange='-1 1'/><damper joint='j' user='1 2' ctrlrange='0 1'/><cylinder joint='j' user='1 2'/><muscle joint='j' user='1 2' lengthrange='0 1'/><adhesion body='b' user='1 2' ctrlrange='0 1'/></actuator><sensor><jointpos joint='j' user='1 2'/><framepos objtype='site' objname='s' user='1 2'/><clock user='1 2'/><user dim='2' user='1 2'/></sensor></mujoco>`;
const kinds = ['body', 'jnt', 'geom', 'site', 'cam', 'tendon', 'actuator', 'sensor'];

groups.user_data = [
    ['=', users()],
    ['=', users(kinds.map(kind => `nuser_${kind}='2'`).join(' '))],
    ['=', users(kinds.map(kind => `nuser_${kind}='5'`).join(' '))],
    ...kinds.flatMap(kind => [
        ['=', users(`nuser_${kind}='1'`), `user has 2 numbers; nuser_${kind} in <size> allows 1`],
        ['=', users(`nuser_${kind}='0'`)],
        ['=', users(`nuser_${kind}='-1'`)],
        ['=', users(`nuser_${kind}='-2'`), `nuser_${kind} is -2; it must be -1 (as many as there are) or more`],
        ['=', users(`nuser_${kind}='2.5'`)],
        ['=', users(`nuser_${kind}='2 2'`)]]),
    ['=', of(`<body><joint/><geom size='.1'/><site/><camera/></body>`, '', `<default><joint user='1 2 3'/><geom user='1'/><site user='2 3'/><camera user='4'/><tendon user='3'/><general user='1'/><motor user='1'/></default>`)],
    ['=', of(`<body><joint/><geom size='.1'/></body>`, '', `<size nuser_jnt='2'/><default><joint user='1 2 3'/></default>`), 'user has 3 numbers (of a class); nuser_jnt in <size> allows 2'],
    ['=', of(`<body><joint user='1'/><geom size='.1'/></body>`, '', `<size nuser_jnt='2'/><default><joint user='1 2 3'/></default>`)],
    ['=', of(`<body><joint/><geom size='.1'/></body>`, '', `<size nuser_jnt='2'/><default><default class='c'><joint user='1 2 3'/></default></default>`)],
    ['=', of(`<body user=''><joint user=' '/><geom size='.1'/></body>`)],
    ['=', of(`<body user='a'><joint/><geom size='.1'/></body>`)],
    ['=', of(`<body user='${Array(600).fill(1).join(' ')}'><joint user='${Array(600).fill(1).join(' ')}'/><geom size='.1'/></body>`)],
    ['=', of(`<body><freejoint user='1'/><geom size='.1'/></body>`)],
    ['=', of(`<replicate count='2' offset='1 0 0'><body user='1'><joint user='2'/><geom size='.1' user='1 2 3'/></body></replicate>`)],
    ['=', of(`<replicate count='2' offset='1 0 0'><body user='1'><joint user='2'/><geom size='.1' user='1 2 3'/></body></replicate>`, '', `<size nuser_geom='2'/>`)],
    ['=', attached(of(`<body name='b' user='1 2'><joint user='1'/><geom size='.1' user='1'/></body>`, '', `<size nuser_body='1'/>`), put)],
    ['=', attached(of(`<body name='b' user='1 2'><joint user='1'/><geom size='.1' user='1'/></body>`, '', `<size nuser_body='3'/>`), put)],
    ['=', attached(of(`<body name='b' user='1 2'><joint user='1'/><geom size='.1' user='1'/></body>`), put, `<size nuser_body='1'/>`)],
];

const ball = `<worldbody><geom size='1'/></worldbody>`;
const bytes = text => new Uint8Array(Buffer.from(text, 'latin1'));

groups.text = [
    ['=', `<mujoco>a<worldbody>b<geom size='1'>c</geom>d</worldbody>e</mujoco>`],
    ['=', `<mujoco/>a`],
    ['=', `<!-- a --><mujoco><!-- b --><worldbody><!-- < & -- --><geom size='1'><!-- x --></geom></worldbody></mujoco><!-- c -->`],
    ['=', `<mujoco><worldbody><geom size='1'/><!---- a --></worldbody></mujoco>`],
    ['=', `<mujoco><![CDATA[ <geom/> ]]>${ball}</mujoco>`],
    ['=', `<?xml version="1.0" encoding="utf-8"?><mujoco>${ball}</mujoco>`],
    ['>', `<mujoco><?foo bar?>${ball}</mujoco>`],
    ['=', `<?xml version="1.0"?><!DOCTYPE mujoco><mujoco>${ball}</mujoco>`],
    ['=', `<!DOCTYPE mujoco SYSTEM "mujoco.dtd"><mujoco>${ball}</mujoco>`],
    ['=', `<!DOCTYPE mujoco [<!ENTITY a "1">]><mujoco>${ball}</mujoco>`],
    ['=', `<!DOCTYPE mujoco [\n<!ELEMENT mujoco ANY>\n<!ATTLIST mujoco a CDATA "1">\n]>\n<mujoco>${ball}</mujoco>`],
    ['=', `\uFEFF<mujoco>${ball}</mujoco>`],
    ['=', `<?xml version="1.0"?>\r\n<mujoco>\r\n<worldbody>\r\n<geom pos='1\r\n2\r\n3'\r\n size='1'/>\r\n</worldbody></mujoco>\r\n`],
    ['=', `<mujoco>\r<worldbody>\r<geom\r size='1'/>\r</worldbody></mujoco>\r`],
    ['=', `<mujoco>\t<worldbody><geom pos='1\t2\n3' size\t=\t'1'/></worldbody></mujoco>`],
    ['=', bytes(`<!-- caf\xe9 --><mujoco>\xe9${ball}</mujoco>`)],
    ['=', of(`<body><joint name='a'axis='1 0 0'type='slide'/><geom size='.1'pos="1 2 3"rgba='1 1 1 1'/></body>`)],
    ['=', of(`<body><joint name='a'"axis='1 0 0'/><geom size='.1'/></body>`)],
    ['<', bytes(`<mujoco><worldbody><geom name='caf\xe9' size='1'/></worldbody></mujoco>`), 'this byte is not UTF-8'],
    ['=', `<mujoco model='a&amp;b &lt; &#65; &#x41;'>${ball}</mujoco>`],
    ['<', `<mujoco model='a & b'>${ball}</mujoco>`, 'this entity is not known'],
    ['<', `<mujoco model='a < b'>${ball}</mujoco>`, "'<' is not allowed in an attribute's value"],
    ['=', attached(`\uFEFF<?xml version="1.0"?>\r\n<!-- c -->\r\n<!DOCTYPE mujoco>\r\n<mujoco>x\r\n<worldbody>y${arm()}</worldbody></mujoco>`, put)],
    ['=', of(`<replicate count='1'>s<geom size='.1'/>t</replicate>`)],
    ['=', `<mujoco><option>a<flag>x</flag></option><compiler>b</compiler><size>c</size><statistic>d</statistic><visual>e<map>f</map></visual><default>g<geom>h</geom></default><asset>i<texture name='t' builtin='flat' type='2d' width='2' height='2'>x</texture><material name='m'>j</material></asset><worldbody>k<body name='b'>l<joint name='j'>m</joint><geom name='g' size='1'>n</geom><light>o</light><camera>p</camera><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'>q</inertial><frame>r</frame><composite type='cable' curve='s' count='4 1 1' size='1 0 0' prefix='x'>t<joint kind='main'>u</joint><geom type='capsule' size='.01'>v</geom></composite></body></worldbody><contact>w<exclude body1='world' body2='b'>x</exclude></contact><equality>y</equality><tendon>z<fixed name='t'>A<joint joint='j' coef='1'>B</joint></fixed></tendon><actuator>C<motor joint='j'>D</motor></actuator><sensor>E<jointpos joint='j'>F</jointpos></sensor><keyframe>G<key>H</key></keyframe><custom>I<numeric name='x' data='1'>J</numeric><text name='a' data='b'>K</text><tuple name='y'><element objtype='body' objname='b'>L</element></tuple></custom><extension>M</extension><deformable>N</deformable></mujoco>`],
];

const three = `<body name='a' pos='1 0 0'><freejoint/><geom size='.1'/></body><body name='b'><freejoint/><geom size='.1'/></body><body name='c' pos='0 1 0'><freejoint/><geom size='.1'/></body>`;
const flex = inside => of(three, `<deformable><flex name='f' dim='2' body='a b c' element='0 1 2'>${inside}</flex></deformable>`);
const skin = (body = 'a') => `<skin name='s' vertex='0 0 0 1 0 0 0 1 0' face='0 1 2'><bone body='${body}' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/></skin>`;

groups.not_supported = [
    ['=', of(three, `<deformable>${skin()}</deformable>`)],
    ['=', of(three, `<asset>${skin()}</asset>`)],
    ['>', of(three, `<deformable>${skin('z')}</deformable>`)],
    ['=', of(three, `<deformable><foo/></deformable>`), 'unknown element <foo> in <deformable>'],
    ['<', flex(''), '<flex> is not supported'],
    ['=', flex(`<contact contype='0' conaffinity='0' selfcollide='none' internal='false'/>`)],
    ['<', flex(`<contact contype='0' conaffinity='0' selfcollide='none' internal='false'/><elasticity young='1e3' poisson='.1' thickness='.01'/>`), '<flex> is not supported'],
    ['<', of(`<flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' dim='2' mass='1'/>`), '<flexcomp> is not supported'],
    ['=', of(three, `<extension/>`)],
    ['=', of(three, `<extension><foo/></extension>`), 'unknown element <foo> in <extension>'],
    ['=', of(three, `<extension foo='1'/>`), "unknown attribute 'foo' in <extension>"],
    ['=', of(three, `<extension><plugin plugin='p'><instance name='i'><config kee='a' value='b'/></instance></plugin></extension>`), "unknown attribute 'kee' in <config>"],
    ['>', of(three, `<extension><plugin plugin='mujoco.pid'><instance name='i'><config key='kp' value='1'/></instance></plugin></extension>`)], // it has no plugins
    ['=', of(three, `<extension><plugin plugin='mujoco.pid'><instance name='i'/></plugin></extension><actuator><plugin instance='i'/></actuator>`), "<plugin> is not supported, here 'mujoco.pid'"],
];

const wedge = (params, more = '') => of(`<body><joint/><geom type='mesh' mesh='m' pos='1 2 3' euler='10 20 30'/></body>`, '', `<asset><mesh name='m' builtin='wedge' params='${params}' ${more}/></asset>`);

groups.wedges = [
    ...['4 4 30 30 0', '3 2 30 60 0', '3 2 30 60 .5', '3 3 30 30 1', '3.5 3 30 30 .3', '7 5 170 80 .7', '12 9 180 90 .1'].map(params => ['=', wedge(params)]),
    ['=', wedge('5 4 40 30 .2', `scale='.1 .2 .3' inertia='convex'`)],
    ...['2 2 90 90 0', '1 1 30 30 0', '0 0 30 30 0', '3 3 180 180 0', '3 3 0 30 0', '3 3 30 30 2', '4 4 30 30', '4 4 30 30 0 0', ''].map(params => ['=', wedge(params)]),
];

const alone = (kind, params, more = '', what = `type='mesh'`) => of(`<body><joint/><geom size='.1'/><geom ${what} mesh='m' pos='1 2 3' euler='10 20 30' contype='0' conaffinity='0'/></body>`, '',
    `<asset><mesh name='m' builtin='${kind}' params='${params}' ${more}/></asset>`);

groups.plates = [
    ...['2 2', '3 2', '2 5', '4 4', '3.9 2.1', '7 11', '31 17'].map(params => ['=', alone('plate', params)]),
    ...['legacy', 'exact', 'convex', 'shell'].map(inertia => ['=', alone('plate', '3 4', `scale='.1 .2 -.3' refpos='1 2 3' inertia='${inertia}'`)]),
    ...['', '4', '1 1', '1 4', '4 1', '0 2', '2 -3', '.5 4', 'nan 2', '2 2 2'].map(params => ['=', alone('plate', params)]),
    ['=', alone('plate', '1 4'), "the first of params is 1; for builtin=\"plate\" it must be from 2 to 1000"],
    ['=', alone('plate', '4 1.5'), "the second of params is 1.5; for builtin=\"plate\" it must be from 2 to 1000"],
    ['=', alone('plate', '4'), "builtin=\"plate\" needs 2 numbers in params (two resolutions), and has 1"],
    ['=', wedge('3 3').replace('wedge', 'plate'), 'all its vertices lie in one plane'],
    ...['mesh', 'sphere', 'capsule', 'box', 'ellipsoid'].map(type => ['=', alone('plate', '3 4', '', `type='${type}' mass='2'`)]),
];

let builtins = 7;
const within = (low, high) => low + (high - low) * (builtins = (Math.imul(builtins, 1103515245) + 12345) & 0x7fffffff) / 0x7fffffff;
const whole = (low, high) => Math.floor(within(low, high + 1)), some = (low, high) => within(low, high).toFixed(3);
const shapes = { sphere: () => whole(0, 4), hemisphere: () => whole(0, 10), cone: () => `${whole(3, 30)} ${whole(0, 3) ? some(0.1, 2) : 0}`,
    supersphere: () => `${whole(3, 20)} ${some(0, 3)} ${some(0, 3)}`, supertorus: () => `${whole(3, 20)} ${some(.05, 1)} ${some(.1, 3)} ${some(.1, 3)}`,
    wedge: () => `${whole(3, 9)} ${whole(2, 9)} ${some(5, 170)} ${some(5, 85)} ${some(0, 1)}`, plate: () => `${whole(2, 30)} ${whole(2, 30)}` };

groups.builtins = Object.entries(shapes).flatMap(([kind, params]) => Array.from({ length: 25 }, (_, i) => ['=', alone(kind, params(), // no two axes alike, nothing flat on a slant
    `inertia='${['legacy', 'convex', 'shell', 'exact'][i % 4]}' scale='.1${whole(0, 99)} .2${whole(0, 99)} .3${whole(0, 99)}' refpos='${some(-1, 1)} 0 ${some(-1, 1)}' ${kind === 'plate' ? '' : `refquat='1 ${some(-1, 1)} 0 ${some(-1, 1)}'`}`)]));

const skins = `<asset><mesh name='pad' builtin='plate' params='3 2'/><mesh name='skin' builtin='wedge' params='3 4 40 30 0'/><mesh name='ball' builtin='sphere' params='0'/><hfield name='hills' nrow='2' ncol='2' size='1 1 1 1'/></asset>`;
const finger = (name = 'f') => `<body name='${name}'><joint/><geom name='${name}g' size='.1'/><body name='${name}n'><geom name='${name}n' size='.1'/><geom name='${name}v' size='.1' contype='0' conaffinity='0'/></body></body>`;
const feels = (sensor, bodies = finger(), after = '', head = '') => of(bodies, `${after}<sensor>${sensor}</sensor>`, `${head}${skins}`);
const hills = more => `<geom type='hfield' hfield='hills' ${more}/>`, tactile = `<tactile geom='fg' mesh='pad'/>`;

groups.tactile = [
    ['=', feels(`${tactile}<tactile name='t' geom='fn' mesh='skin' cutoff='.1' user='1 2' delay='.1' nsample='3' interp='cubic' interval='.1'/>`)],
    ['=', feels(tactile, finger(), '', `<compiler fusestatic='true'/>`)],
    ['=', feels(`<tactile geom='fv' mesh='pad'/>`, finger(), '', `<compiler discardvisual='true'/>`)],
    ['=', feels(tactile, `<replicate count='2' offset='1 0 0'>${finger()}</replicate>`)],
    ['=', { 'model.xml': of(`<attach model='m' body='f' prefix='p-'/>`, '', `<asset><model name='m' file='part.xml'/></asset>`), 'part.xml': feels(`<tactile name='t' geom='fg' mesh='skin'/>`) }],
    ...[`<tactile mesh='pad'/>`, `<tactile geom='fg'/>`, `<tactile geom='z' mesh='pad'/>`, `<tactile geom='fg' mesh='z'/>`, `<tactile geom='fg' mesh='pad' noise='1'/>`,
        `<tactile geom='fg' mesh='pad' cutoff='-1'/>`, `<tactile site='fg' mesh='pad'/>`].map(sensor => ['=', feels(sensor)]),
    ['=', feels(tactile).replace(`<geom name='fg' size='.1'/>`, `<geom name='fg' size='.1' contype='0' conaffinity='0'/>`), "no geom of the body of 'fg' collides"],
    ['<', feels(`<tactile geom='fg' mesh='ball'/>`), "only the builtin meshes plate and wedge have; 'ball' is none"], // MuJoCo reads what is not there
    ['<', feels(tactile).replace(`params='3 2'`, `params='3 2' scale='1 1 0'`), 'a scale of 0 leaves none'], // NaN
    ['<', feels(tactile).replace('3 2', '500 700'), 'would have 1050000 numbers; at most 1000000 are allowed'],
    ['<', feels(tactile, finger() + hills('')), "its body may touch 'hills'"], // MuJoCo ends with an error when it does
    ['<', feels(tactile, finger() + hills(`name='h' contype='0' conaffinity='0'`), `<contact><pair geom1='fn' geom2='h'/></contact>`), "its body may touch 'hills'"],
    ['=', feels(tactile, finger() + hills(`contype='2' conaffinity='2'`))],
    ['=', feels(tactile, finger() + hills(''), `<contact><exclude body1='world' body2='f'/><exclude body1='fn' body2='world'/></contact>`)],
    ['=', feels(`<tactile geom='w' mesh='pad'/>`, `<geom name='w' size='.1'/>` + hills('') )],
];

const meshed = (site, after = '', before = '') => of(`<body name='b'><joint/><geom size='.1'/>${site}<site name='a' pos='2 0 0'/></body>`, after, `${before}${mesh}`);
const site = `<site name='s' type='mesh' mesh='m' pos='1 2 3' euler='10 20 30'/>`;

groups.sites_of_meshes = [ // saltus keeps their frames only
    ['=', meshed(site, `<tendon><spatial><site site='s'/><site site='a'/></spatial></tendon><sensor><framepos objtype='site' objname='s'/></sensor>`), false],
    ['=', meshed(`<site class='c'/>`, '', `<default><default class='c'><site type='mesh' mesh='m'/></default></default>`), false],
    ['=', meshed(`<site type='mesh'/>`), 'a site of type mesh needs a mesh'],
    ['=', meshed(`<site mesh='m'/>`), 'a site has a mesh only if its type is mesh'],
    ['=', meshed(`<site type='mesh' mesh='z'/>`), "there is no mesh named 'z'"],
    ['=', meshed(`<site type='mesh' mesh='m' fromto='0 0 0 1 1 1'/>`), 'fromto is allowed only for capsules'],
    ['<', meshed(site, `<sensor><touch site='s'/></sensor>`), '<touch> on a site of type mesh is not supported'],
    ['<', meshed(site, `<sensor><insidesite site='s' objtype='body' objname='b'/></sensor>`), '<insidesite> on a site of type mesh is not supported'],
];
