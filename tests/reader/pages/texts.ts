import { type Inner, json, paragraphs, ps, sentence } from './kit'

export const article: Inner[] = [
  (m, j, s) => ({
    title: 'Dredging resumes',
    head: '<meta name="author" content="Ida Wren">',
    body: `<article><h1>Dredging resumes</h1><p class="byline">By Ida Wren</p>${ps(m, s, 4)}<figure><img src="/d.jpg" alt=""><figcaption>${m('The dredger at berth nine.')}</figcaption></figure>
<h2>${m('What it costs')}</h2>${ps(m, s + 1, 3)}<aside class="related"><h3>${j('Related coverage')}</h3><ul><li><a href="/r">${j('Sandbanks mapped anew')}</a></li></ul></aside></article>`,
  }),
  (m, j, s) => ({
    title: 'Letters found',
    body: `<div class="post hentry"><h1 class="entry-title">Letters found</h1><div class="entry-content">${ps(m, s, 2)}<blockquote><p>${m(sentence(s * 97 + 60))}</p></blockquote>${ps(m, s + 1, 3)}<ul><li>${m('A bundle from the winter of 1911')}</li><li>${m('Two cards without a stamp')}</li></ul></div>
<div class="sharedaddy"><span>${j('Share this letter')}</span><a href="#">${j('Post it on Chirper')}</a></div></div>`,
  }),
  (m, j, s) => ({
    title: 'A short history of the weir',
    body: `<font size="5"><b>A short history of the weir</b></font><br><br>${paragraphs(m, s, 6).join('<br><br>')}<br><hr><a href="#top">${j('Back to top')}</a>`,
  }),
  (m, j, s) => ({
    title: 'Why the lamps went out',
    body: `<h1 class="text-4xl font-bold">Why the lamps went out</h1><div class="prose prose-lg">${ps(m, s, 3)}<h2>${m('A fuse and a fox')}</h2>${ps(m, s + 1, 2)}<div class="ad-slot">${j('Advertisement: boots that float')}</div>${ps(m, s + 2, 2)}</div>
<div class="mt-12"><h2>${j('You might also like')}</h2><div class="grid"><a href="/q1">${j('Lamps of the lower town')}</a><a href="/q2">${j('Foxes, a census')}</a></div></div>`,
  }),
  (m, j, s) => ({
    title: 'Report on the sluice',
    body: `<div class="articleHeadline"><h1>Report on the sluice</h1><h2 class="standfirst">${m('Three gates of four can be saved, says the board.')}</h2></div><div id="articleText">${paragraphs(
      m,
      s,
      5,
    )
      .map((text) => `<div class="para">${text}</div>`)
      .join('')}</div><div class="newsletter-signup"><h3>${j('Get the sluice letter')}</h3></div>`,
  }),
]

export const blog: Inner[] = [
  (m, j, s) => ({
    title: 'Notes from the allotment',
    body: [0, 1, 2]
      .map(
        (n) =>
          `<article class="h-entry"><h2><a href="/e${n}">${m(`Allotment week ${n + 21}`)}</a></h2><time datetime="2026-05-0${n + 1}">${m(`May ${n + 1}, 2026`)}</time>${ps(m, s + n, 1)}<footer><a href="/t">${j('Filed under soil')}</a></footer></article>`,
      )
      .join(''),
  }),
  (m, j, s) => ({
    title: 'Building a dry wall',
    body: `<article id="post-77" class="post type-post"><header class="entry-header"><h1 class="entry-title">Building a dry wall</h1><div class="entry-meta">Posted by <a href="/u">${m('Oskar Lindqvist')}</a></div></header><div class="entry-content">${ps(m, s, 2)}<ol><li>${m('Dig to firm ground first.')}</li><li>${m('Lay the longest stones across.')}</li></ol>${ps(m, s + 1, 2)}<pre><code>${m('batter = height / 6')}</code></pre></div></article>
<div class="post-navigation"><a href="/prev">${j('Previous: On hedges')}</a></div><div id="respond" class="comment-respond"><h3>${j('Leave a Reply')}</h3><form><textarea></textarea></form></div>`,
  }),
  (m, _j, s) => ({
    title: 'My boat log',
    body: `<h1>My boat log</h1>${[0, 1, 2, 3].map((n) => `<p><b>${m(`Day ${n + 4}, wind force ${n + 2}`)}</b><br>${paragraphs(m, s + n, 1, 2)[0]}</p>`).join('<hr>')}`,
  }),
  (m, j, s) => ({
    title: 'Changelog driven gardening',
    body: `<div class="mb-8"><p class="text-sm">${m('Rosa Etxeberria · 6 min read')}</p><h1>Changelog driven gardening</h1></div><section>${ps(m, s, 2)}</section><section><h3>${m('Version your beds')}</h3>${ps(m, s + 1, 2)}<table><tr><th>Bed</th><th>Crop</th></tr><tr><td>${m('North bed')}</td><td>${m('Broad beans')}</td></tr></table></section>
<div class="flex gap-2 share-buttons"><span>${j('Share on Chirper')}</span><span>${j('Copy the link')}</span></div>`,
  }),
  (m, j, s) => ({
    title: 'Ten bridges in ten days',
    body: `<div class="blogPost"><h1>Ten bridges in ten days</h1>${[0, 1, 2, 3, 4].map((n) => `<h3>${n + 1}. ${m(`Bridge of parish ${n + 31}`)}</h3><p>${m(sentence(s * 97 + n))}</p>`).join('')}</div><div class="comments-area"><div class="tags"><a href="/t1">${j('bridges tag')}</a> <a href="/t2">${j('walking tag')}</a></div></div>`,
  }),
]

export const docs: Inner[] = [
  (m, j, s) => ({
    title: 'Configure the client',
    body: `<nav class="toc"><a href="#a">${j('On this page: install')}</a></nav><h1>Configure the client</h1><p>${m('Options are read once, at start.')}</p><h2 id="a">${m('Install it')}</h2><pre><code class="language-sh">${m('pkg add tidewire --exact')}</code></pre><table><thead><tr><th>Option</th><th>Default</th></tr></thead><tbody><tr><td><code>${m('retryLimit')}</code></td><td>${m('three times')}</td></tr><tr><td><code>${m('socketPath')}</code></td><td>${m('/run/tidewire.sock')}</td></tr></tbody></table><aside class="note"><p>${m('Note: the socket must exist before the client starts.')}</p></aside>${ps(m, s, 1)}`,
  }),
  (m, j, s) => ({
    title: 'tidewire.open()',
    body: `<div class="document"><div class="body" role="main"><h1>tidewire.open()</h1><dl class="py function"><dt><code>${m('tidewire.open(path, mode="r")')}</code></dt><dd><p>${m('Open a wire and return a handle.')}</p><dl><dt>${m('Parameters')}</dt><dd>${m('path – where the wire is')}</dd></dl></dd></dl>${ps(m, s, 2, 2)}<div class="admonition warning"><p>${m('A handle that is not closed keeps the lock.')}</p></div></div><div class="sphinxsidebar"><h3>Contents</h3><ul><li><a href="/c1">${j('Chapter index of wires')}</a></li><li><a href="/c2">${j('Chapter index of tides')}</a></li></ul></div></div><div class="prev-next-area pagination"><a href="/p">${j('previous: Concepts')}</a><a href="/n">${j('next: Errors')}</a></div>`,
  }),
  (m, j, _s) => ({
    title: 'tidewire(1) manual',
    body: `<a href="/man">${j('Manual index')}</a><h2>NAME</h2><p>${m('tidewire - carry lines over the tide')}</p><h2>SYNOPSIS</h2><pre>${m('tidewire [-v] [-o file] host')}</pre><h2>OPTIONS</h2><dl>${['-v be wordy', '-o write to a file', '-q be quiet'].map((o) => `<dt><b>${o.slice(0, 2)}</b><dd>${m(`${o.slice(3)} as long as the wire holds`)}`).join('')}</dl><h2>EXIT STATUS</h2><p>${m('Zero, or two when the wire broke.')}</p>`,
  }),
  (m, j, s) => ({
    title: 'REST reference',
    body: `<div class="grid grid-cols-12"><div class="col-span-3"><nav><a href="/r1">${j('Reference: wires')}</a><a href="/r2">${j('Reference: tides')}</a></nav></div><div class="col-span-9"><h1>REST reference</h1>${['GET /wires', 'POST /wires', 'DELETE /wires/{id}'].map((e, n) => `<div class="border-b py-6"><h2><span class="badge">${m(e)}</span></h2><p>${m(sentence(s * 97 + n))}</p><div class="rounded bg-slate-900"><pre><code>{"${m(`wire_${n}_status`)}": true}</code></pre></div></div>`).join('')}</div></div>`,
  }),
  (m, j, s) => ({
    title: 'Upgrade guide',
    body: `<h1>Upgrade guide</h1><div class="tabs"><ul role="tablist"><li><button role="tab" aria-controls="t1">npm</button></li><li><button role="tab" aria-controls="t2">pip</button></li></ul><div role="tabpanel" id="t1"><pre>${m('npm install tidewire@5')}</pre></div><div role="tabpanel" id="t2" hidden><pre>${m('pip install tidewire==5.0')}</pre></div></div><h2>${m('Breaking changes')}</h2><ul><li>${m('Handles close themselves now.')}</li><li>${m('The flag --slow is gone.')}</li></ul>${ps(m, s, 2)}<p><a href="/edit">${j('Back to top')}</a></p>`,
  }),
]

export const faq: Inner[] = [
  (m, j, s) => ({
    title: 'Questions',
    body: `<h1>Questions</h1>${[0, 1, 2, 3].map((n) => `<details><summary>${m(`How do I return item ${n + 1} of an order?`)}</summary><p>${m(sentence(s * 97 + n))}</p></details>`).join('')}<p class="back-to-top"><a href="#">${j('Return to the top')}</a></p>`,
  }),
  (m, _j, s) => ({
    title: 'Help with tickets',
    body: `<div class="accordion">${[0, 1, 2, 3].map((n) => `<div class="accordion-item"><h3><button aria-expanded="false" aria-controls="a${n}">${m(`May I change ticket class ${n + 1}?`)}</button></h3><div id="a${n}" hidden><p>${m(sentence(s * 97 + n))}</p></div></div>`).join('')}</div>`,
  }),
  (m, _j, s) => ({
    title: 'FAQ',
    body: `<h2>FAQ</h2><dl>${[0, 1, 2, 3, 4].map((n) => `<dt><b>Q${n + 1}: ${m(`Is mooring ${n + 1} free in winter?`)}</b></dt><dd>${m(sentence(s * 97 + n))}</dd>`).join('')}</dl>`,
  }),
  (m, j, s) => ({
    title: 'Support answers',
    body: `<h1>Support answers</h1><div class="divide-y">${[0, 1, 2].map((n) => `<div class="py-4"><div class="font-medium cursor-pointer">${m(`What does plan ${n + 1} include?`)}</div><div class="mt-2 collapse" aria-hidden="true" id="p${n}"></div></div>`).join('')}</div><div><h2>${j('Sign up for our newsletter')}</h2><p>${j('One letter, every second Friday.')}</p></div>`,
    head: json({
      '@context': 'https://schema.org',
      '@type': 'FAQPage',
      mainEntity: [0, 1, 2].map((n) => ({
        '@type': 'Question',
        name: `What does plan ${n + 1} include?`,
        acceptedAnswer: { '@type': 'Answer', text: `<p>${m(sentence(s * 97 + n))}</p>` },
      })),
    }),
  }),
  (m, _j, s) => ({
    title: 'Opening hours and access',
    body: `<h1>Opening hours and access</h1><div itemscope itemtype="https://schema.org/FAQPage">${[0, 1, 2, 3].map((n) => `<div itemprop="mainEntity"><button type="button" class="q" aria-expanded="false">${m(`When does gate ${n + 1} close?`)}</button><div class="a" role="region">${m(sentence(s * 97 + n))}</div></div>`).join('')}</div>`,
  }),
]

export const forum: Inner[] = [
  (m, j, s) => ({
    title: 'Leaking hatch',
    body: `<h1>Leaking hatch</h1>${['saltydog', 'marta_k', 'oldsail'].map((u, n) => `<article class="post"><header><strong>${m(u)}</strong></header><div class="body">${ps(m, s + n, 1, 2)}</div><footer><a href="/like">${j('Like this post')}</a> <a href="/quote">${j('Quote it')}</a></footer></article>`).join('')}`,
  }),
  (m, j, s) => ({
    title: 'Which rope for a mooring?',
    body: `<h1>Which rope for a mooring?</h1><ul class="post-list">${['brine', 'knotty', 'p_van_loon', 'gull77'].map((u, n) => `<li class="comment"><div class="comment-author">${m(u)}</div><div class="comment-content"><p>${m(sentence(s * 97 + n))}</p><p>${m(sentence(s * 97 + n + 40))}</p></div></li>`).join('')}</ul><div class="similar-topics"><h3>${j('Similar topics elsewhere')}</h3><a href="/x">${j('Rope or chain, again')}</a></div>`,
  }),
  (m, _j, s) => ({
    title: 'View topic - Bilge pumps',
    body: `<b>Bilge pumps</b><table border="1" width="100%">${['Tam', 'Greer', 'Ilse'].map((u, n) => `<tr><td valign="top"><b>${m(`${u} of Northpier`)}</b><br>Posts: ${n + 12}</td><td>${m(sentence(s * 97 + n))}<br><br>${m(sentence(s * 97 + n + 30))}</td></tr>`).join('')}</table>`,
  }),
  (m, _j, s) => ({
    title: 'Ask: how do you store sails?',
    body: `<div class="flex flex-col"><h1>Ask: how do you store sails?</h1><div class="text-base">${m(sentence(s * 97 + 80))}</div>${['deckhand', 'ropewalk', 'nine_knots'].map((u, n) => `<div class="pl-${n * 4} border-l"><div class="text-xs"><a href="/u/${u}">${m(u)}</a> ${m(`${n + 3} hours ago`)}</div><div>${m(sentence(s * 97 + n))}</div></div>`).join('')}</div>`,
  }),
  (m, j, s) => ({
    title: 'Why does my winch slip?',
    body: `<div id="question"><h1><a href="/q/1">Why does my winch slip?</a></h1><div class="postcell"><div class="s-prose">${ps(m, s, 1)}</div></div></div><div id="answers">${[0, 1].map((n) => `<div class="answer"><div class="votecell">${m(`${n + 14} votes`)}</div><div class="s-prose">${ps(m, s + 1 + n, 1)}<pre><code>${m(`torque_${n} = pawl * ${n + 3}`)}</code></pre></div></div>`).join('')}</div><div id="sidebar"><div class="module sidebar-related"><h4>${j('Hot network questions')}</h4><a href="/h">${j('Can a gull be taught?')}</a></div></div>`,
  }),
]
