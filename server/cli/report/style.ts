/** The report's look: the product's colours, light and dark, as web/src/app/tokens.ts has them. */
export const STYLE = `
:root{color-scheme:light dark;--bg:#f6f5f2;--card:#fff;--text:#1b1d22;--dim:#5d6370;--line:#e4e1da;--good:#0b7a66;--warn:#935700;--bad:#c62f36;--accent:#4053d6}
@media(prefers-color-scheme:dark){:root{--bg:#0f1115;--card:#171a20;--text:#eceef2;--dim:#a5acb9;--line:#2a2f39;--good:#3fc7a8;--warn:#f2b04b;--bad:#ff6b6f;--accent:#8c9bff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1040px;padding:24px 16px 64px;background:var(--bg);color:var(--text);font:16px/1.5 system-ui,sans-serif}
h1{margin:0;font-size:26px}h2{margin:0 0 8px;font-size:18px}
.name{margin:0;color:var(--dim);overflow-wrap:anywhere}
.verdict{margin:20px 0 4px;padding:16px;border-radius:12px;background:var(--card);border-left:6px solid var(--good);font-size:18px}
.verdict.warn{border-color:var(--warn)}.verdict.pause{border-color:var(--bad)}
.facts,.hint{color:var(--dim);font-size:14px}
section p{margin:0 0 12px}
section{margin-top:24px;padding:16px;border-radius:12px;background:var(--card)}
.curve{overflow-x:auto}svg{display:block;width:100%;min-width:560px;height:auto}svg text{fill:var(--dim);font:11px system-ui,sans-serif}
.grid{stroke:var(--line)}.dots{fill:var(--dim);opacity:.45}polyline{fill:none;stroke:var(--accent);stroke-width:2}
line.warn{stroke:var(--warn);stroke-width:2;stroke-dasharray:5 4}line.pause{stroke:var(--bad);stroke-width:2}
.moments{display:grid;gap:16px;grid-template-columns:repeat(auto-fill,minmax(min(46%,220px),1fr))}
figure{margin:0}img{display:block;width:100%;border-radius:8px}
figcaption{display:grid;font-size:14px}.file{color:var(--dim);overflow-wrap:anywhere;font-size:13px}
b.warn{color:var(--warn)}b.pause{color:var(--bad)}
`
