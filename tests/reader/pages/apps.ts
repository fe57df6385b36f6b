import { type Inner, sentence } from './kit'

const code = (data: unknown): string => JSON.stringify(data).replaceAll('<', '\\u003c')

/** Pages whose content is nowhere in their HTML's text. */
export const app: Inner[] = [
  (m, _j, s) => ({
    title: 'Dashboard',
    body: '<div id="root"></div>',
    scripts:
      '<script src="/files/board.js" defer></script><noscript>You need to enable JavaScript to run this app.</noscript>',
    files: {
      '/files/board.js': `const root = document.getElementById('root'); const add = (tag, text) => root.appendChild(Object.assign(document.createElement(tag), { textContent: text }))
add('h1', ${code(m('Pumps of the north basin'))}); for (const text of ${code([0, 1, 2].map((n) => m(sentence(s * 97 + n))))}) add('p', text)`,
    },
  }),
  (m, _j, s) => ({
    title: 'Orders',
    body: '<div id="app">Loading…</div>',
    scripts: `<script>setTimeout(() => fetch('/files/orders.json').then((r) => r.json()).then((rows) => {
document.getElementById('app').innerHTML = '<h1>Orders</h1><table>' + rows.map((r) => '<tr><td>' + r.name + '</td><td>' + r.price + '</td></tr>').join('') + '</table>' }), 300)</script>`,
    files: {
      '/files/orders.json': JSON.stringify(
        [0, 1, 2, 3].map((n) => ({ name: m(`Crate ${n + 1} of tar`), price: m(`$${n + s}.40 each`) })),
      ),
    },
  }),
  (m, _j, s) => ({
    title: 'Map of moorings',
    body: '<app-root></app-root>',
    scripts: `<script type="module">class Root extends HTMLElement { connectedCallback() { this.innerHTML = ${code(`<main><h1>${m('Moorings with water and power')}</h1><ul>${[0, 1, 2].map((n) => `<li>${m(sentence(s * 97 + n))}</li>`).join('')}</ul></main>`)} } }
customElements.define('app-root', Root)</script>`,
  }),
  (m, _j, s) => ({
    title: 'Item',
    body: '<div class="skeleton"><div class="pulse"></div></div><div id="main"></div>',
    scripts: `<script type="application/json" id="state">${code({ name: m('Signal pistol, brass'), price: m('€210.00 with case'), text: [0, 1].map((n) => m(sentence(s * 97 + n))) })}</script>
<script>addEventListener('load', () => { const s = JSON.parse(document.getElementById('state').textContent)
document.querySelector('.skeleton').remove(); document.getElementById('main').innerHTML = '<h1>' + s.name + '</h1><p>' + s.price + '</p>' + s.text.map((t) => '<p>' + t + '</p>').join('') })</script>`,
  }),
  (m, _j, s) => ({
    title: 'Thread',
    body: '<h1>Thread</h1><div id="posts" aria-busy="true"></div>',
    scripts: `<script src="/files/lib.js"></script><script>renderPosts(${code([0, 1, 2].map((n) => [m(`skipper_${n + 1}`), m(sentence(s * 97 + n))]))})</script>`,
    files: {
      '/files/lib.js': `let queue = []
function renderPosts(posts) { queue = posts; requestAnimationFrame(next) }
function next() { const post = queue.shift(); if (!post) return
document.getElementById('posts').insertAdjacentHTML('beforeend', '<section><h3>' + post[0] + '</h3><p>' + post[1] + '</p></section>'); setTimeout(next, 100) }`,
    },
  }),
]
