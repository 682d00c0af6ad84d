// The style and the script of explain's pages.
#include "compiler/explain/html.h"

namespace rlc::explain {

const char* const kStyle = R"css(
:root { --ink: #0f172a; --soft: #64748b; --line: #e2e8f0; --paper: #ffffff; --tint: #f8fafc; --accent: #b45309; --mark: #fef3c7;
        --order: #f59e0b; --lanes: #10b981; --threads: #0284c7; --both: #7c3aed; --any: #94a3b8; }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, "Segoe UI", Helvetica, Arial, sans-serif; color: var(--ink); background: var(--paper); }
header { padding: 18px 28px 0; border-bottom: 1px solid var(--line); background: var(--tint); position: sticky; top: 0; z-index: 5; }
h1 { font-size: 20px; margin: 0; } header p { margin: 2px 0 12px; color: var(--soft); }
nav { display: flex; gap: 4px; } nav a { padding: 8px 16px; color: var(--soft); text-decoration: none; border-radius: 8px 8px 0 0; }
nav a.on { background: var(--paper); color: var(--ink); border: 1px solid var(--line); border-bottom-color: var(--paper); margin-bottom: -1px; font-weight: 600; }
main { padding: 20px 28px 60px; } section { margin-bottom: 48px; scroll-margin-top: 320px; } .tabbed section { display: none; } .tabbed section.on { display: block; }
.tabbed h2 { display: none; } h2 { font-size: 18px; } h3 { font-size: 15px; margin: 26px 0 8px; }
p.lead { max-width: 78ch; color: #334155; margin: 0 0 16px; }
code, pre { font: 12.5px/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
pre { background: var(--tint); border: 1px solid var(--line); border-radius: 8px; padding: 10px 14px; overflow: auto; margin: 8px 0; max-height: 480px; }
code.place { color: var(--soft); white-space: nowrap; } code.place[data-line] { cursor: pointer; }
.legend { display: flex; flex-wrap: wrap; gap: 6px 18px; font-size: 13px; color: #475569; margin: 0 0 10px; }
.legend i { display: inline-block; width: 13px; height: 13px; border-radius: 3px; border: 1px solid #94a3b8; vertical-align: -2px; margin-right: 6px; }
.split { display: grid; grid-template-columns: minmax(0, 1fr) 380px; gap: 20px; align-items: start; }
.drawing { border: 1px solid var(--line); border-radius: 10px; overflow: hidden; position: relative; background:
  radial-gradient(#e8edf3 1px, transparent 1px) 0 0 / 22px 22px; height: calc(100vh - 250px); min-height: 460px; cursor: grab; }
.drawing.none { height: auto; min-height: 0; padding: 14px; cursor: auto; } .drawing svg { width: 100%; height: 100%; display: block; }
.zoom { position: absolute; right: 10px; top: 10px; display: flex; gap: 4px; z-index: 2; }
button { font: inherit; border: 1px solid var(--line); background: var(--paper); border-radius: 6px; padding: 2px 10px; cursor: pointer; color: #334155; }
.drawing .node { cursor: pointer; } .drawing.picked .node:not(.near), .drawing.picked .edge:not(.near) { opacity: .13; }
.side { position: sticky; top: 128px; max-height: calc(100vh - 150px); overflow: auto; border: 1px solid var(--line); border-radius: 10px; padding: 14px 16px; background: var(--paper); }
.side h3 { margin: 0 0 4px; } .side .hint { color: var(--soft); } .side ul { padding-left: 18px; margin: 6px 0; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; } th { text-align: left; color: var(--soft); font-weight: 600; border-bottom: 1px solid var(--line); padding: 6px 10px; }
td { border-bottom: 1px solid var(--line); padding: 6px 10px; vertical-align: top; } td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.note { margin: 3px 0; } .yes::before { content: "✓ "; color: #059669; } .no::before { content: "✗ "; color: #dc2626; }
.src { color: #475569; } .del { color: #b91c1c; } .ins { color: #047857; } details summary { cursor: pointer; color: #475569; }
.beside { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); gap: 22px; align-items: start; }
.source { position: sticky; top: 128px; max-height: calc(100vh - 150px); overflow: auto; border: 1px solid var(--line); border-radius: 10px; padding: 10px 0; background: var(--tint); }
.source div { display: flex; padding: 0 12px 0 0; white-space: pre; font: 12.5px/1.6 ui-monospace, "DejaVu Sans Mono", Menlo, monospace; }
.source div b { flex: 0 0 46px; text-align: right; padding-right: 14px; color: #94a3b8; font-weight: 400; user-select: none; }
.source div.used { cursor: pointer; } .source div.idle { color: #94a3b8; } .lit { background: var(--mark) !important; }
.loop { border: 1px solid var(--line); border-left: 5px solid var(--any); border-radius: 8px; margin: 6px 0; padding: 6px 8px 4px 12px; background: var(--paper); }
.loop > .head { font-weight: 600; } summary.head { cursor: pointer; color: #475569; } details.loop:not([open]) > .head .why { display: none; } .loop > .head .why { font-weight: 400; color: var(--accent); font-size: 13px; display: block; }
.badge { font-size: 11.5px; font-weight: 600; border-radius: 99px; padding: 1px 9px; color: #fff; background: var(--any); margin-left: 8px; vertical-align: 1px; }
.loop.order { border-left-color: var(--order); } .badge.order { background: var(--order); } .loop.lanes { border-left-color: var(--lanes); } .badge.lanes { background: var(--lanes); }
.loop.threads { border-left-color: var(--threads); } .badge.threads { background: var(--threads); } .loop.both { border-left-color: var(--both); } .badge.both { background: var(--both); }
.run { padding: 2px 6px; border-radius: 6px; display: flex; gap: 10px; cursor: default; } .run b { font-weight: 600; } .run .what { color: var(--soft); font-size: 13px; }
.run .line { color: #94a3b8; font: 12px/1.9 ui-monospace, monospace; min-width: 42px; text-align: right; }
.source h4 { margin: 8px 14px 4px; font-size: 12.5px; color: var(--soft); }
.bar { fill: #cbd5e1; stroke: #fff; stroke-width: 1; } .memory svg { width: 100%; height: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); }
.memory rect:hover { filter: brightness(.9); } .card { border: 1px solid var(--line); border-radius: 10px; padding: 10px 16px; margin: 10px 0; }
.card h3 { margin: 0 0 4px; } .chip { display: inline-block; background: #f1f5f9; border-radius: 99px; padding: 0 9px; margin: 2px 4px 2px 0; font-size: 12.5px; }
@media (max-width: 1000px) { .split, .beside { grid-template-columns: 1fr; } .side, .source { position: static; max-height: none; } }
@media print { header { position: static; } .tabbed section { display: block; } .tabbed h2 { display: block; } }
)css";

const char* const kScript = R"js(
(function () {
  'use strict';
  const all = (selector, root) => Array.from((root || document).querySelectorAll(selector));
  const sections = all('main > section'), links = all('nav a');
  function show(id) {
    if (!sections.some(s => s.id === id)) id = sections[0].id;
    sections.forEach(s => s.classList.toggle('on', s.id === id));
    links.forEach(a => a.classList.toggle('on', a.getAttribute('href') === '#' + id));
    all('.drawing', document.getElementById(id)).forEach(d => d.fit && d.fit());
  }
  if (sections.length > 1) document.body.classList.add('tabbed');
  window.addEventListener('hashchange', () => show(location.hash.slice(1)));

  // Drawings: drag to move, wheel to zoom, click on a node to see it and what touches it.
  all('.drawing').forEach(drawing => {
    const svg = drawing.querySelector('svg');
    if (!svg) return;
    const own = svg.viewBox.baseVal, whole = [own.x, own.y, own.width, own.height];
    let view = whole.slice(), fitted = false;
    svg.removeAttribute('width'); svg.removeAttribute('height');
    const apply = () => svg.setAttribute('viewBox', view.join(' '));
    function zoom(factor, x, y) {
      const box = svg.getBoundingClientRect(), fx = box.width ? (x - box.left) / box.width : .5, fy = box.height ? (y - box.top) / box.height : .5;
      view = [view[0] + view[2] * fx * (1 - factor), view[1] + view[3] * fy * (1 - factor), view[2] * factor, view[3] * factor];
      apply();
    }
    function all_() { view = whole.slice(); apply(); }
    // At first as large as it reads well: from the top, and as wide as the picture if that is not too small.
    drawing.fit = () => {
      const box = drawing.getBoundingClientRect();
      if (fitted || !box.width) return;
      fitted = true;
      const scale = Math.min(1.33, Math.max(box.width / whole[2], box.height / whole[3], .55));
      const w = box.width / scale, h = box.height / scale;
      view = [whole[0] + (whole[2] - w) / 2, whole[3] <= h ? whole[1] + (whole[3] - h) / 2 : whole[1], w, h];
      apply();
    };
    drawing.addEventListener('wheel', e => { e.preventDefault(); zoom(e.deltaY > 0 ? 1.15 : 1 / 1.15, e.clientX, e.clientY); }, { passive: false });
    all('button', drawing).forEach(b => b.addEventListener('click', () => {
      const box = svg.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
      if (b.dataset.zoom === 'in') zoom(1 / 1.3, x, y); else if (b.dataset.zoom === 'out') zoom(1.3, x, y); else all_();
    }));
    let from = null, moved = false;
    drawing.addEventListener('pointerdown', e => { if (e.target.closest('button')) return; from = [e.clientX, e.clientY, view[0], view[1]]; moved = false; });
    window.addEventListener('pointermove', e => {
      if (!from) return;
      const box = svg.getBoundingClientRect(), scale = Math.max(view[2] / box.width, view[3] / box.height);
      if (Math.abs(e.clientX - from[0]) + Math.abs(e.clientY - from[1]) > 4) moved = true;
      view[0] = from[2] - (e.clientX - from[0]) * scale; view[1] = from[3] - (e.clientY - from[1]) * scale;
      if (moved) apply();
    });
    window.addEventListener('pointerup', () => { from = null; });
    const nodes = all('.node', svg), edges = all('.edge', svg);
    const nameOf = node => node.querySelector('title').textContent.trim();
    svg.addEventListener('click', e => {
      if (moved) return;
      const node = e.target.closest('.node');
      nodes.concat(edges).forEach(n => n.classList.remove('near'));
      drawing.classList.toggle('picked', !!node);
      if (!node) return;
      const name = nameOf(node), near = new Set([name]);
      edges.forEach(edge => {
        const ends = edge.querySelector('title').textContent.split('->').map(s => s.trim());
        if (ends.includes(name)) { edge.classList.add('near'); ends.forEach(n => near.add(n)); }
      });
      nodes.forEach(n => n.classList.toggle('near', near.has(nameOf(n))));
      const fact = document.getElementById('about-' + node.id), side = drawing.parentElement.querySelector('.side');
      if (fact && side) side.innerHTML = fact.innerHTML;
    });
  });

  // Source lines and what runs them light up together.
  function light(line, on, scroll) {
    all('[data-line="' + line + '"]').forEach(e => e.classList.toggle('lit', on));
    if (on && scroll) { const t = document.querySelector('.run[data-line="' + line + '"]'); if (t) t.scrollIntoView({ block: 'nearest' }); }
  }
  all('.beside [data-line]').forEach(e => {
    e.addEventListener('mouseenter', () => light(e.dataset.line, true));
    e.addEventListener('mouseleave', () => light(e.dataset.line, false));
    if (e.closest('.source')) e.addEventListener('click', () => light(e.dataset.line, true, true));
  });
  all('[data-switch]').forEach(button => button.addEventListener('click', () => {
    const shown = button.dataset.switch.split(' ');
    all('.' + shown[0]).forEach(e => { e.hidden = e.id !== shown[1]; });
    all('.drawing', document.getElementById(shown[1])).forEach(d => d.fit && d.fit());
  }));
  show(location.hash.slice(1));
})();
)js";

}  // namespace rlc::explain
