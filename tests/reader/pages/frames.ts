import type { Mark } from './kit'

/** What stands around the content, in five ways of building a page. */
export type Frame = (page: { title: string; body: string; head: string; scripts: string; j: Mark }) => string

const TRACKER = `<script>window.dataLayer=window.dataLayer||[];dataLayer.push({event:'view'})</script>`

const semantic: Frame = ({
  title,
  body,
  head,
  scripts,
  j,
}) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} | Quayside</title>
${head}</head><body><a class="skip-link" href="#main">${j('Skip to main content')}</a>
<header><a href="/">${j('Quayside Online')}</a><nav aria-label="Main"><ul><li><a href="/n">${j('Newsroom desk')}</a></li><li><a href="/s">${j('Our services')}</a></li><li><a href="/account">${j('Sign in to your account')}</a></li></ul></nav></header>
<main id="main">${body}</main>
<aside><h2>${j('Most read today')}</h2><ol><li><a href="/1">${j('Harbour dues to rise again')}</a></li><li><a href="/2">${j('Seven walks for wet days')}</a></li></ol></aside>
<div id="cookie-banner" role="dialog"><p>${j('We use cookies to improve your visit.')}</p><button>Accept all</button><a href="/privacy">${j('Manage cookie preferences')}</a></div>
<footer><p>${j('© 2026 Quayside Media Ltd. All rights reserved.')}</p><a href="/imprint">${j('Imprint and contact')}</a></footer>${TRACKER}${scripts}</body></html>`

const blogEngine: Frame = ({
  title,
  body,
  head,
  scripts,
  j,
}) => `<!DOCTYPE html><html lang="en-US"><head><meta charset="UTF-8"><title>${title} – Lanternfish</title>${head}<style>.entry{margin:0}</style></head>
<body class="post-template-default single has-sidebar"><div id="page" class="site"><div id="masthead" class="site-header"><p class="site-title"><a href="/">${j('Lanternfish Journal')}</a></p>
<div id="site-navigation" class="main-navigation"><ul id="primary-menu" class="menu"><li class="menu-item"><a href="/about">${j('About this site')}</a></li><li class="menu-item"><a href="/archive">${j('Archive by month')}</a></li></ul></div></div>
<div id="content" class="site-content"><div id="primary" class="content-area">${body}</div>
<div id="secondary" class="widget-area"><section class="widget widget_search"><h2 class="widget-title">${j('Search the archive')}</h2><form><input name="s"></form></section>
<section class="widget widget_recent_entries"><h2 class="widget-title">${j('Recent Posts')}</h2><ul><li><a href="/p1">${j('Painting a shed in March')}</a></li><li><a href="/p2">${j('What the moles did')}</a></li></ul></section></div></div>
<div id="colophon" class="site-footer"><div class="site-info"><a href="https://example.org">${j('Proudly powered by Lampworks')}</a></div></div></div>
<div class="cookie-notice-container" id="cookie-notice"><span>${j('This site uses cookies. By staying you agree.')}</span><a href="#">${j('Ok, got it')}</a></div>${TRACKER}${scripts}</body></html>`

const tables: Frame = ({
  title,
  body,
  head,
  scripts,
  j,
}) => `<html><head><title>${title}</title>${head}</head><body bgcolor="#ffffff"><center><table width="760" border="0" cellpadding="0"><tr><td colspan="2" bgcolor="#003366">
<font color="white" size="2"><a href="/home.htm">${j('Start page')}</a> | <a href="/prod.htm">${j('Index of goods')}</a> | <a href="/club.htm">${j('Members area')}</a> | <a href="/guest.htm">${j('Guest book')}</a> | <a href="/map.htm">${j('Site map')}</a></font></td></tr>
<tr><td width="140" valign="top"><ul><li><a href="/l1.htm">${j('Partner sites')}</a></li><li><a href="/l2.htm">${j('Mailing list')}</a></li><li><a href="/l3.htm">${j('Old news')}</a></li><li><a href="/l4.htm">${j('Webmaster')}</a></li></ul></td>
<td valign="top">${body}</td></tr><tr><td colspan="2" align="center"><font size="1">${j('Copyright 2004-2026 by the Wharf Society')}</font></td></tr></table></center>${TRACKER}${scripts}</body></html>`

const utility: Frame = ({
  title,
  body,
  head,
  scripts,
  j,
}) => `<!doctype html><html lang="en"><head><title>${title} - Brackwater</title>${head}<link rel="stylesheet" href="/a.css"></head><body class="antialiased text-slate-900"><div id="__next"><div class="sticky top-0 z-50 bg-white">
<div class="flex items-center px-4 css-1ab2c3d"><a class="font-bold" href="/">${j('Brackwater Inc')}</a><nav class="flex gap-4"><a href="/pricing-plans">${j('Plans overview')}</a><a href="/customers">${j('Customer stories')}</a><a href="/careers">${j('We are hiring')}</a></nav></div></div>
<div class="mx-auto max-w-7xl px-4 py-10">${body}</div>
<div class="fixed bottom-0 inset-x-0 p-4 shadow-lg"><div class="flex"><p class="text-sm">${j('We and our partners use cookies to measure our audience.')}</p><button class="btn">Reject</button><button class="btn">Accept</button></div></div>
<div class="NewsletterBox_root__k3J9x bg-slate-50"><p>${j('Get one letter a month, no spam.')}</p><form><input type="email"><button>Subscribe</button></form></div>
<footer class="border-t"><div class="grid grid-cols-4"><div><h3>${j('Company pages')}</h3><ul><li><a href="/a">${j('About Brackwater')}</a></li><li><a href="/b">${j('Press kit')}</a></li></ul></div></div><p>${j('© Brackwater Inc, Dock 4')}</p></footer></div>${TRACKER}${scripts}</body></html>`

const formWrapped: Frame = ({
  title,
  body,
  head,
  scripts,
  j,
}) => `<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><title>${title}</title>${head}</head><body><form method="post" action="./default.aspx" id="aspnetForm"><input type="hidden" name="__VIEWSTATE" value="dDwtMTIzNDU2Nzg5Ozs+">
<div id="ctl00_TopBar" class="topbar"><span>${j('Call us: 0800 555 019')}</span><a href="/help">${j('Help centre')}</a></div>
<div class="header-wrapper"><a href="/"><img src="/logo.gif" alt="${j('Tarnbrook logo')}"></a><div role="navigation" class="mainNav"><a href="/x">${j('Departments')}</a><a href="/y">${j('Offers of the week')}</a></div></div>
<div class="breadcrumbs"><a href="/">${j('Tarnbrook start')}</a> &gt; <a href="/x">${j('All sections')}</a></div>
<div id="ctl00_Main" role="main">${body}</div>
<div class="modal fade" style="display:none" id="loginModal"><h4>${j('Log in to continue')}</h4><p>${j('Forgot your password?')}</p></div>
<div class="social-links"><a href="https://social.example">${j('Follow Tarnbrook everywhere')}</a></div>
<div class="consentBar" id="gdpr-consent"><div>${j('By using Tarnbrook you accept cookies and similar technology.')}</div><button>OK</button></div>
<div id="ctl00_Footer" class="page-footer"><a href="/terms">${j('Terms of use')}</a><a href="/returns">${j('Accessibility statement')}</a><span>${j('Tarnbrook plc, registered in Gullmouth')}</span></div></form>${TRACKER}${scripts}</body></html>`

export const frames: readonly Frame[] = [semantic, blogEngine, tables, utility, formWrapped]
