import { type Inner, json, ps, sentence } from './kit'

export const product: Inner[] = [
  (m, j, s) => ({
    title: 'Enamel mug',
    body: `<div class="product"><img src="/mug.jpg" alt="Enamel mug"><div><h1>${m('Enamel mug, half litre')}</h1><p class="price">${m('£12.50')}</p><p class="stock">${m('In stock')}</p><button>Add to basket</button><ul><li>${m('Steel, twice fired')}</li><li>${m('Safe on open fire')}</li></ul></div></div><section><h2>${m('Description of the mug')}</h2>${ps(m, s, 2)}</section><section class="related"><h2>${j('Customers also bought')}</h2><ul><li><a href="/k">${j('Kettle with a whistle')}</a></li></ul></section>`,
  }),
  (m, j, _s) => ({
    title: 'Oilskin jacket',
    head: json({
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: 'Oilskin jacket',
      sku: m('OJ-4471'),
      brand: { '@type': 'Brand', name: m('Havbris') },
      offers: { '@type': 'Offer', price: '149.00', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
    }),
    body: `<div class="product type-product"><div class="summary entry-summary"><h1 class="product_title">Oilskin jacket</h1><p class="price"><span class="amount"><bdi>${m('149.00 €')}</bdi></span></p><div class="woocommerce-product-details__short-description"><p>${m('Keeps out what falls from above.')}</p></div><form class="cart"><button>Buy</button></form><div class="product_meta"><span>SKU: OJ-4471</span></div></div><table class="shop_attributes"><tr><th>${m('Weight of cloth')}</th><td>${m('310 grams')}</td></tr></table></div><section class="related products"><h2>${j('Related products')}</h2><ul><li><a href="/h">${j('Souwester hat')}</a></li></ul></section>`,
  }),
  (m, _j, s) => ({
    title: 'Brass compass',
    body: `<table><tr><td><img src="c.gif"></td><td><h3>${m('Brass compass No. 8')}</h3><font color="red"><b>${m('Only $89.95')}</b></font><br>${m('Availability: ships in two days')}<br>${m(sentence(s * 97))} ${m(sentence(s * 97 + 1))}</td></tr></table>`,
  }),
  (m, j, s) => ({
    title: 'Deck shoes',
    body: `<div class="grid lg:grid-cols-2"><div><img src="/s.webp" alt="shoes"></div><div><h1 class="text-3xl">${m('Deck shoes, white sole')}</h1><div class="flex"><span class="text-2xl">${m('$74.00')}</span><span class="line-through">${m('$98.00')}</span></div><div class="text-green-700">${m('In stock, 6 left')}</div><fieldset><legend>Size</legend><label>41</label><label>42</label></fieldset><div class="text-sm">${m(sentence(s * 97))}</div><dl><dt>${m('Sole material')}</dt><dd>${m('Natural rubber')}</dd></dl></div></div><div class="upsell"><p>${j('Complete the look: a striped sweater')}</p></div>`,
  }),
  (m, j, s) => ({
    title: 'Storm lantern',
    body: `<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">${m('Storm lantern Petrel')}</h1><span class="product-price" itemprop="price">${m('CHF 39.90')}</span><div id="availability"><span>${m('Available now in Gullmouth')}</span></div><div class="product-tabs"><ul role="tablist"><li><a aria-controls="desc" role="tab">Description</a></li><li><a aria-controls="spec" role="tab">Details</a></li></ul><div id="desc" role="tabpanel">${ps(m, s, 1)}</div><div id="spec" role="tabpanel" style="display:none"><table><tr><td>${m('Burning time')}</td><td>${m('eleven hours')}</td></tr></table></div></div><div class="reviews"><h3>${m('What buyers say')}</h3><blockquote>${m(sentence(s * 97 + 50))}</blockquote></div></div><div class="recently-viewed"><h4>${j('Recently viewed by you')}</h4><a href="/w">${j('Wick, three metres')}</a></div>`,
  }),
]

const goods = ['Canvas bag', 'Wool blanket', 'Tin whistle', 'Sextant kit', 'Rope ladder', 'Signal flag']

export const productList: Inner[] = [
  (m, j, _s) => ({
    title: 'All bags',
    body: `<h1>All bags</h1><p>${m('Six things for the deck.')}</p><ul class="grid">${goods.map((g, n) => `<li><a href="/p/${n}"><img src="/${n}.jpg" alt=""><h3>${m(`${g} A${n}`)}</h3></a><p>${m(`£${n + 11}.20`)}</p></li>`).join('')}</ul><nav class="pagination"><a href="?p=2">${j('Next page of bags')}</a></nav>`,
  }),
  (m, j, _s) => ({
    title: 'Shop',
    body: `<h1 class="page-title">Shop</h1><p class="result-count">${m('Showing all 6 results')}</p><ul class="products columns-3">${goods.map((g, n) => `<li class="product"><a href="/p/${n}"><h2 class="woocommerce-loop-product__title">${m(`${g} B${n}`)}</h2><span class="price"><del>${m(`€${n + 61},00`)}</del> <ins>${m(`€${n + 41},50`)}</ins></span></a><a class="button" href="?add=${n}">Add</a></li>`).join('')}</ul><div class="promo-links promo"><a href="/gift">${j('Gift cards for all occasions')}</a></div>`,
  }),
  (m, _j, _s) => ({
    title: 'Price list',
    body: `<h2>Price list</h2><table border="1"><tr><th>Item</th><th>Price</th><th>Stock</th></tr>${goods.map((g, n) => `<tr><td><a href="p${n}.htm">${m(`${g} C${n}`)}</a></td><td>${m(`$${n + 21}.75`)}</td><td>${m(`${n + 2} pieces left`)}</td></tr>`).join('')}</table>`,
  }),
  (m, j, _s) => ({
    title: 'Gear',
    body: `<h1>Gear</h1><div class="flex"><div class="w-64 filters"><nav><a href="?c=1">${j('Filter: under ten')}</a><a href="?c=2">${j('Filter: on sale')}</a></nav></div><div class="grid grid-cols-3">${goods.map((g, n) => `<div class="group relative"><a href="/g/${n}"><span>${m(`${g} D${n}`)}</span></a><span>${m(`$${n + 31}`)}</span><span class="text-xs">${n % 2 ? m(`Sold out since May ${n}`) : m(`In stock at dock ${n}`)}</span></div>`).join('')}</div></div>`,
  }),
  (m, j, _s) => ({
    title: 'Results for lanterns',
    head: json({
      '@context': 'https://schema.org',
      '@type': 'ItemList',
      itemListElement: goods.map((g, n) => ({
        '@type': 'ListItem',
        position: n + 1,
        item: {
          '@type': 'Product',
          name: `${g} E${n}`,
          offers: { '@type': 'Offer', price: n + 51, priceCurrency: 'USD' },
        },
      })),
    }),
    body: `<h1>Results for lanterns</h1>${goods.map((g, n) => `<product-card><a href="/l/${n}" class="card__title">${m(`${g} E${n}`)}</a><div class="card-footer"><b class="card__price">${m(`${n + 51} USD`)}</b></div></product-card>`).join('')}<div class="sponsored-products"><p>${j('Sponsored: Lumina lamps, the brightest')}</p></div>`,
  }),
]

export const recipe: Inner[] = [
  (m, j, s) => ({
    title: 'Cardamom buns',
    body: `<article><h1>Cardamom buns</h1><p>${m(sentence(s * 97))}</p><h2>${m('You will need')}</h2><ul><li>${m('500 g strong flour')}</li><li>${m('2 tsp ground cardamom')}</li><li>${m('250 ml warm milk')}</li></ul><h2>${m('How to bake them')}</h2><ol><li>${m('Warm the milk and wake the yeast.')}</li><li>${m('Knead until the dough lets go of the bowl.')}</li><li>${m('Bake for 14 minutes at 220 degrees.')}</li></ol></article><div class="newsletter"><p>${j('Never miss a bun: join the list')}</p></div>`,
  }),
  (m, j, s) => ({
    title: 'Ginger cookies',
    body: `<div class="cookie-recipe post"><h1>Ginger cookies</h1><a class="jump" href="#r">Jump to recipe</a>${ps(m, s, 2)}<div class="wprm-recipe" id="r"><div class="wprm-recipe-times"><span>${m('Prep time')}</span> <span>${m('20 minutes')}</span></div><div class="wprm-recipe-ingredients"><ul><li><span>200</span> <span>g</span> <span>${m('dark treacle')}</span></li><li><span>1</span> <span>${m('knob of fresh ginger')}</span></li></ul></div><div class="instructions"><div>${m('Cut the cookies while they are warm.')}</div><div>${m('Let them cool on a rack.')}</div></div></div></div><div class="addthis">${j('Pin this recipe')}</div>`,
  }),
  (m, _j, _s) => ({
    title: 'Fish soup of the pilots',
    body: `<h2>Fish soup of the pilots</h2><table><tr><td><b>Ingredients</b><br>${m('1 kg of mixed fish')}<br>${m('3 leeks, in rings')}<br>${m('a glass of cider')}</td><td><b>Method</b><p>${m('Sweat the leeks until they shine.')}<p>${m('Add the fish last and do not stir.')}</td></tr></table>`,
  }),
  (m, _j, _s) => ({
    title: 'Barley risotto',
    head: json({
      '@context': 'https://schema.org',
      '@graph': [
        { '@type': 'WebSite', name: 'Brackwater' },
        {
          '@type': 'Recipe',
          name: 'Barley risotto',
          recipeYield: '4 servings',
          cookTime: 'PT35M',
          recipeIngredient: [m('300 g pearl barley'), m('1 l hot stock')],
          recipeInstructions: [
            { '@type': 'HowToStep', text: m('Toast the barley in butter.') },
            { '@type': 'HowToStep', text: m('Feed it stock by the ladle.') },
          ],
        },
      ],
    }),
    body: `<h1>Barley risotto</h1><p>${m('A risotto for people who forgot the rice.')}</p><div class="flex gap-6"><div><strong>${m('Serves four')}</strong></div><div>${m('35 min on the stove')}</div></div><div id="recipe-app"></div>`,
  }),
  (m, _j, s) => ({
    title: 'Rhubarb crumble',
    body: `<h1>Rhubarb crumble</h1><div class="tabs"><a aria-controls="ing">Ingredients</a><a aria-controls="met">Method</a></div><div id="ing"><table class="ingredients"><tr><td>600 g</td><td>${m('rhubarb, peeled and cut')}</td></tr><tr><td>150 g</td><td>${m('cold butter in cubes')}</td></tr></table></div><div id="met" style="display: none"><p><strong>1</strong> ${m('Rub the butter into the flour.')}</p><p><strong>2</strong> ${m('Bake until the juice boils at the rim.')}</p></div><p>${m(sentence(s * 97))}</p>`,
  }),
]

const ports = ['Anholt', 'Brest', 'Cork', 'Dover', 'Esbjerg', 'Faro']

export const table: Inner[] = [
  (m, _j, _s) => ({
    title: 'Tides this week',
    body: `<h1>Tides this week</h1><table><caption>${m('Heights in metres above chart datum')}</caption><thead><tr><th>Port</th><th>High</th><th>Low</th></tr></thead><tbody>${ports.map((p, n) => `<tr><td>${m(`${p} outer`)}</td><td>${m(`0${n + 3}:1${n} high`)}</td><td>${m(`${n + 9}:4${n} low`)}</td></tr>`).join('')}</tbody></table>`,
  }),
  (m, j, s) => ({
    title: 'League table',
    body: `<h1 class="entry-title">League table</h1><div class="table-responsive"><table class="wp-block-table">${ports.map((p, n) => `<tr><td>${n + 1}</td><td><a href="/t/${n}">${m(`${p} Rowing Club`)}</a></td><td>${m(`${30 - n} points`)}</td></tr>`).join('')}</table></div><p>${m(sentence(s * 97))}</p><div class="advertisement">${j('Row faster with Oarmax')}</div>`,
  }),
  (m, _j, _s) => ({
    title: 'Ferry timetable',
    body: `<h3>Ferry timetable</h3>${['Summer', 'Winter']
      .map(
        (t) =>
          `<h4>${m(`${t} sailings`)}</h4><table border="1">${ports
            .slice(0, 4)
            .map((p, n) => `<tr><td>${m(`${p} ${t} quay`)}</td><td>${m(`${t} departure ${n + 6}.15`)}</td></tr>`)
            .join('')}</table>`,
      )
      .join('')}`,
  }),
  (m, _j, _s) => ({
    title: 'Exchange rates',
    body: `<h1>Exchange rates</h1><div role="table" class="css-9z8y">${ports.map((p, n) => `<div role="row" class="flex"><div role="cell">${m(`${p} crown`)}</div><div role="cell">${m(`1.2${n}45`)}</div><div role="cell">${m(`+0.${n}1 today`)}</div></div>`).join('')}</div><p class="text-xs">${m('Rates of noon, without fees.')}</p>`,
  }),
  (m, _j, s) => ({
    title: 'Population by district',
    body: `<h2>Population by district</h2><table class="GridView" id="ctl00_grid"><tr><th>District</th><th>2024</th><th>2026</th></tr>${ports.map((p, n) => `<tr><td>${m(`${p} district`)}</td><td>${m(`${n + 11},204 then`)}</td><td>${m(`${n + 12},877 now`)}</td></tr>`).join('')}</table><p>${m(sentence(s * 97))}</p>`,
  }),
]

export const landing: Inner[] = [
  (m, _j, s) => ({
    title: 'Moor with one tap',
    body: `<section class="hero"><h1>${m('Moor with one tap')}</h1><p>${m('Berths in four hundred harbours, booked from the cockpit.')}</p><a class="btn" href="/start">${m('Start a free trial')}</a></section><section><h2>${m('Why skippers stay')}</h2><div><h3>${m('No queue at noon')}</h3><p>${m(sentence(s * 97))}</p></div><div><h3>${m('Prices that hold')}</h3><p>${m(sentence(s * 97 + 1))}</p></div></section><section><h2>${m('Plans')}</h2><div><h3>${m('Dinghy')}</h3><p>${m('€0 a month')}</p></div><div><h3>${m('Cruiser')}</h3><p>${m('€9 a month')}</p></div></section>`,
  }),
  (m, _j, s) => ({
    title: 'The Sail Loft',
    body: `<div class="wp-block-cover"><h1>${m('The Sail Loft sews what wind broke')}</h1></div><div class="wp-block-columns"><div class="wp-block-column"><h3>${m('Sails')}</h3><p>${m(sentence(s * 97))}</p></div><div class="wp-block-column"><h3>${m('Covers')}</h3><p>${m(sentence(s * 97 + 1))}</p></div></div><blockquote class="testimonial"><p>${m('They sewed through the night for us.')}</p><cite>${m('Jonna, skipper of Terna')}</cite></blockquote><div class="contact"><p>${m('Loft 3, Rope Street, Gullmouth')}</p><p>${m('Open from eight to five')}</p></div>`,
  }),
  (m, _j, s) => ({
    title: 'Welcome to Pension Wharf',
    body: `<h1>${m('Welcome to Pension Wharf')}</h1><p>${m('Nine chambers, all with the sea in them.')}</p><p align="center"><b>${m('Double bed from 85 EUR')}</b></p><p>${m(sentence(s * 97))}</p><ul><li>${m('Breakfast until eleven')}</li><li>${m('Dogs are welcome')}</li></ul><p>${m('Telephone 0555 2210')}</p>`,
  }),
  (m, _j, s) => ({
    title: 'Brackwater: logs that float',
    body: `<div class="text-center py-24"><h1 class="text-6xl">${m('Logs that float to the top')}</h1><p class="mt-6">${m('Search a terabyte while the kettle boils.')}</p><div class="mt-8 flex"><a href="/signup">${m('Try it with your own logs')}</a></div></div><div class="grid grid-cols-3">${['Ingest', 'Search', 'Alert'].map((t, n) => `<div class="rounded-2xl border p-8"><svg><path d="M0 0"></path></svg><div class="font-semibold">${m(`${t} without agents`)}</div><div>${m(sentence(s * 97 + n))}</div></div>`).join('')}</div><div class="bg-slate-900"><div>${m('99.98% uptime last year')}</div><div>${m('41 billion lines a day')}</div></div>`,
  }),
  (m, _j, s) => ({
    title: 'Tarnbrook insurance',
    body: `<div id="carousel"><div class="slide active"><h2>${m('Cover for boats under ten metres')}</h2><p>${m(sentence(s * 97))}</p></div><div class="slide"><h2>${m('Claims paid within a week')}</h2><p>${m(sentence(s * 97 + 1))}</p></div></div><div class="boxes"><div class="box"><a href="/quote"><h3>${m('Ask for a quote')}</h3></a><p>${m('Takes four minutes.')}</p></div><div class="box"><a href="/claim"><h3>${m('Report some damage')}</h3></a><p>${m('Day and night, also by telephone.')}</p></div></div>`,
  }),
]

export const listing: Inner[] = [
  (m, j, s) => ({
    title: 'Harbour concert',
    body: `<h1>Harbour concert</h1><dl><dt>When</dt><dd><time datetime="2026-08-14T20:00">${m('Friday 14 August 2026, 8 pm')}</time></dd><dt>Where</dt><dd>${m('Warehouse B, Gullmouth')}</dd><dt>Tickets</dt><dd>${m('£18, students £9')}</dd></dl>${ps(m, s, 2)}<ul class="share-links"><li><a href="#">${j('Write to a friend')}</a></li></ul>`,
  }),
  (m, j, s) => ({
    title: 'Sailmaker wanted',
    body: `<div class="job_listing"><h1 class="entry-title">Sailmaker wanted</h1><ul class="job-listing-meta meta"><li class="job-type">${m('Full time, five days')}</li><li class="location">${m('Esbjerg, on site')}</li><li class="salary">${m('32,000 to 38,000 EUR a year')}</li></ul><div class="job_description"><h3>${m('What you will do')}</h3>${ps(m, s, 1)}<h3>${m('What you bring')}</h3><ul><li>${m('Three winters in a loft')}</li><li>${m('A steady hand')}</li></ul></div></div><div class="similar-jobs"><h3>${j('Similar jobs nearby')}</h3><a href="/j">${j('Rigger, part time')}</a></div>`,
  }),
  (m, _j, _s) => ({
    title: 'Programme of the society',
    body: `<h2>Programme of the society</h2>${[3, 10, 17].map((d) => `<p><b>${m(`${d} October, 19:30`)}</b><br>${m(`Lecture on lights of coast ${d}`)}<br><i>${m(`Hall ${d} of the old customs house`)}</i>`).join('')}`,
  }),
  (m, _j, s) => ({
    title: 'Backend engineer',
    head: json({
      '@context': 'https://schema.org',
      '@type': 'JobPosting',
      title: 'Backend engineer',
      hiringOrganization: { '@type': 'Organization', name: 'Brackwater' },
      datePosted: m('2026-04-02'),
      employmentType: 'FULL_TIME',
      baseSalary: {
        '@type': 'MonetaryAmount',
        currency: 'USD',
        value: { '@type': 'QuantitativeValue', minValue: m('120000'), maxValue: m('145000'), unitText: 'YEAR' },
      },
      description: `<p>${m(sentence(s * 97 + 70))}</p>`,
    }),
    body: `<h1>Backend engineer</h1><div class="flex gap-2"><span class="badge">${m('Remote in Europe')}</span><span class="badge">${m('Platform team')}</span></div><div>${m(sentence(s * 97))}</div><div>${m(sentence(s * 97 + 1))}</div><button>Apply now</button>`,
  }),
  (m, _j, _s) => ({
    title: 'What is on',
    head: json(
      [0, 1, 2].map((n) => ({
        '@context': 'https://schema.org',
        '@type': 'MusicEvent',
        name: `Pier night ${n + 1}`,
        startDate: `2026-07-0${n + 1}T21:00`,
        location: { '@type': 'Place', name: m(`Pier stage ${n + 1}`) },
      })),
    ),
    body: `<h1>What is on</h1><div class="event-list">${[0, 1, 2].map((n) => `<div class="event-item"><div class="date">${m(`${n + 1} July`)}</div><a href="/e/${n}">${m(`Pier night ${n + 1}`)}</a><div class="event-footer">${m(`Entry ${n + 7} EUR at the gate`)}</div></div>`).join('')}</div>`,
  }),
]
