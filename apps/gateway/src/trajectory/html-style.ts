/** The page's only style; its hash stands in the page's security policy. */
export const htmlStyle = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 20%, transparent); --bar: #3b82c4; --fault: #c2410c; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.3rem; } h2 { font-size: 1.05rem; margin: 0 0 .5rem; }
section { border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: 1rem 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.45 ui-monospace, monospace; margin: .4rem 0; padding: .5rem; border: 1px solid var(--line); border-radius: .3rem; }
details { margin: .3rem 0; } summary { cursor: pointer; }
.user { font-weight: 600; white-space: pre-wrap; } .text { white-space: pre-wrap; margin: .5rem 0; }
.model, .note, .quiet { opacity: .7; font-size: .9em; overflow-wrap: anywhere; } .fault { color: var(--fault); overflow-wrap: anywhere; }
.call { border-left: 3px solid var(--bar); padding-left: .75rem; margin: .75rem 0; }
.nested { display: grid; grid-template-columns: minmax(12rem, 2fr) 3fr; gap: .5rem; align-items: start; }
svg { width: 100%; height: .8rem; } rect { fill: var(--bar); } rect.failed { fill: var(--fault); }
`;
