import type { NextConfig } from 'next'

// For every answer that Next gives but published sites; what a page may run is decided per request, in proxy.ts.
const HEADERS = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Referrer-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=(), payment=(), usb=()' },
]

export default {
  // Native addons and packages that load files at run time, WebAssembly included, stay outside the bundle.
  serverExternalPackages: [
    '@node-rs/argon2',
    '@prisma/adapter-pg',
    '@prisma/client',
    'apify-client',
    'gpt-tokenizer',
    'just-bash',
    'libpg-query',
    'linkedom',
    'pg',
    'pino',
    'playwright-core',
    'prom-client',
    'undici',
    'unpdf',
    'youtubei.js',
  ],
  // `npm test` checks types itself; a start need not do it again.
  typescript: { ignoreBuildErrors: true },
  // Resizing on demand costs seconds of CPU an image, for whoever asks.
  images: { unoptimized: true },
  poweredByHeader: false,
  // The root of a published site ends with a slash, and its door says so.
  skipTrailingSlashRedirect: true,
  headers: async () => [{ source: '/((?!sites/.).*)', headers: HEADERS }],
  reactStrictMode: true,
} satisfies NextConfig
