/**
 * What class names and ids say in front of and behind the word that counts: `site-footer__links`.
 */
const BEFORE = new Set(
  'c js l o m u is site page main global app the block section component layout box wp widget module post article entry content blog top bottom left right primary secondary sticky fixed inline mobile desktop shop store web g google'.split(
    ' ',
  ),
)
const AFTER = new Set(
  'wrapper wrap container inner box block area section panel widget bar banner link links list item items button buttons icons nav menu content root module main form cta holder region row slot unit notice popup modal overlay dialog signup posts articles products stories topics strip top bottom group'.split(
    ' ',
  ),
)

/** Parts of a page that are never what it is about. */
const ALWAYS = new Set(
  `cookie cookies cookie-consent cookie-policy cookies-consent cookielaw consent gdpr ccpa onetrust cmp didomi cookiebot privacy-consent
  nav navbar navigation navigationbar breadcrumb breadcrumbs crumbs pagination pager megamenu mega topnav subnav sidenav toc-nav skip skip-link skiplink skip-to-content
  share sharing share-this sharedaddy addthis social social-media social-share follow-us
  newsletter subscribe subscription-cta email-signup mailing-list
  related relatedposts recommended recommendations recommendation you-may-also-like you-might-also-like may-also-like also-like also-bought customers-also-bought customers-also-viewed upsell upsells cross-sell crosssell read-next up-next more-from trending most-read most-popular recently-viewed similar outbrain taboola
  ad ads advert adverts advertisement advertising adsense adsbygoogle ad-placement dfp sponsor sponsored sponsored-content
  popup modal overlay interstitial lightbox paywall-cta app-install app-banner smart-banner announcement back-to-top scroll-top to-top chat chatbot intercom
  masthead topbar utility copyright colophon comment-form commentform respond reply-form login-form search-form searchform language-switcher lang-switcher search`
    .split(/\s+/)
    .filter(Boolean),
)

/** Parts that are so only where they are mostly links. */
const WHERE_LINKS = new Set(
  'menu menus footer header sidebar side aside rail promo promos tags tag-cloud tagcloud categories legal popular toolbar quick-links links archive archives blogroll secondary widget widgets'.split(
    ' ',
  ),
)

/** Whatever floats over the page, by the end of its name: `help-popup`. */
const FLOATING = new Set(['popup', 'modal', 'overlay', 'lightbox', 'tooltip', 'toast'])

export type NameVerdict = 'always' | 'where_links' | null

const verdicts = new Map<string, NameVerdict>()
const MAX_NAME_CHARS = 60
const MAX_KNOWN = 5_000

/** What the class names and the id of an element say about it. */
export function nameVerdict(el: Element): NameVerdict {
  let found: NameVerdict = null
  for (const name of `${el.id ?? ''} ${el.getAttribute('class') ?? ''}`.split(/\s+/).slice(0, 30)) {
    const verdict = name === '' || name.length > MAX_NAME_CHARS ? null : verdictOn(name)
    if (verdict === 'always') return verdict
    found ??= verdict
  }
  return found
}

function verdictOn(name: string): NameVerdict {
  const known = verdicts.get(name)
  if (known !== undefined) return known
  if (verdicts.size > MAX_KNOWN) verdicts.clear()
  const verdict = classify(name)
  verdicts.set(name, verdict)
  return verdict
}

function classify(name: string): NameVerdict {
  // A build may end names in a hash, as in `Footer_root__x1Y2z`.
  const words = name
    .replace(/__?[A-Za-z0-9-]*\d[A-Za-z0-9-]*$/, '')
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_:]+/)
    .filter(Boolean)
  if (FLOATING.has(words.at(-1) ?? '')) return 'always'
  for (;;) {
    const core = words.join('-')
    if (ALWAYS.has(core)) return 'always'
    if (WHERE_LINKS.has(core)) return 'where_links'
    if (words.length < 2) return null
    if (AFTER.has(words.at(-1) ?? '')) words.pop()
    else if (BEFORE.has(words[0] ?? '')) words.shift()
    else return null
  }
}
