import { createOurEngine } from "/work/main/bench/src/harness/our-engine.ts";
const kind = process.argv[2]; const n = Number(process.argv[3] ?? 30);
const engine = await createOurEngine();
const src = (b:number)=> kind==="seq" ? `let total=0;for(let a=0;a<100;a++){const {sum}=await tools.add({a,b:${b}});total+=sum}return total;` :
 kind==="par" ? `const r=await Promise.all(Array.from({length:100},(_,a)=>tools.add({a,b:${b}})));return r.reduce((x,y)=>x+y.sum,0)` : `return ${b}+1`;
const run = async (b:number)=> kind==="gate" ? engine.runGatedCell(`const r = await tools.publish({draft:'d${b}'}); return r.published`) : engine.runCell(src(b));
for(let i=0;i<15;i++) await run(i);
const c0=process.cpuUsage(), t0=performance.now(); const ts:number[]=[];
const e0=performance.eventLoopUtilization();
for(let i=0;i<n;i++){const t=performance.now(); await run(i); ts.push(performance.now()-t)}
const c=process.cpuUsage(c0), e=performance.eventLoopUtilization(e0);
ts.sort((a,b)=>a-b);
console.log(kind, "p50",ts[n>>1].toFixed(3),"min",ts[0].toFixed(3),"cpu/cell",((c.user+c.system)/n/1000).toFixed(3),"user",(c.user/n/1000).toFixed(3),"main active/cell",(e.active/n).toFixed(3));
await engine.dispose();
