import type { NextConfig } from 'next'

// For every response of Next. What a page may run is decided per request, in proxy.ts.
const HEADERS = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Referrer-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=(), payment=(), usb=()' },
]

export default {
  // `npm test` checks types.
  typescript: { ignoreBuildErrors: true },
  // Resizing an image on demand costs anyone's request seconds of CPU.
  images: { unoptimized: true },
  poweredByHeader: false,
  // The root of a published site ends with a slash, and its handler redirects to it.
  skipTrailingSlashRedirect: true,
  redirects: async () => [{ source: '/changelog', destination: '/docs/changelog', permanent: false }],
  // Later entries win: a token in a page's address is sent nowhere. Forms would have no Origin with
  // no-referrer.
  headers: async () => [
    { source: '/((?!sites/.).*)', headers: HEADERS },
    { source: '/(reset|confirm-email)', headers: [{ key: 'Referrer-Policy', value: 'strict-origin' }] },
    { source: '/images/:path*', headers: [{ key: 'Cache-Control', value: 'public, max-age=3600' }] },
  ],
  reactStrictMode: true,
} satisfies NextConfig
