import type { NextConfig } from 'next'

export default {
  // Native addons and packages that load files at run time stay outside the bundle.
  serverExternalPackages: [
    '@node-rs/argon2',
    '@prisma/adapter-pg',
    '@prisma/client',
    'linkedom',
    'pg',
    'pino',
    'playwright-core',
    'prom-client',
    'undici',
    'unpdf',
  ],
  // `npm test` checks types itself; a start need not do it again.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  reactStrictMode: true,
} satisfies NextConfig
