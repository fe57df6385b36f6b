import { z } from 'zod'
import { SAMPLERS } from '../kit/tracing/sampler'
import {
  headersSetting,
  hostPortsSetting,
  integerSetting,
  issuerSetting,
  namesSetting,
  originSetting,
  originsSetting,
  storageSetting,
  textSetting,
  urlSetting,
  waitsSetting,
} from './schemas'

/*
 * The settings of the server itself. Each description is the variable's text in `.env.example`;
 * `example` is the value shown there where the variable has no fixed default. A tool group declares
 * its settings in its own folder.
 */

const ServerVariables = z.object({
  DATABASE_URL: z
    .url({
      protocol: /^postgres(ql)?$/,
      error: 'must be a postgresql:// URL, or embedded for the commands of package.json',
    })
    .meta({
      description:
        'PostgreSQL 15 or newer, or the word embedded for the one in DATA_DIR. Must be set in live mode; in sandbox ' +
        'mode the default is embedded. With TLS: ?sslmode=verify-full, and &sslrootcert=FILE for an authority of your own',
      example: 'postgresql://user:password@localhost:5432/tollgate',
    }),
  DATABASE_DIRECT_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// URL' })
    .optional()
    .meta({
      description:
        'The same database without a pooler. Set it where DATABASE_URL leads to PgBouncer in transaction mode: what needs ' +
        'a session of its own (the ledger, the queue, migrations) goes this way',
      example: 'postgresql://user:password@localhost:5432/tollgate',
    }),
  DATABASE_CONNECTIONS: integerSetting(12, 500)
    .optional()
    .meta({
      description:
        'Connections to PostgreSQL that a process may open (default: 24 for a web process and 29 for a worker; of several ' +
        'processes of one command, 40 for all together and at least 12 for each)',
      example: '12',
    }),
  AUTH_SECRET: z
    .string({ error: 'must be set: 32 or more random characters' })
    .min(32, 'must have 32 or more characters')
    .describe(
      'Signs sessions, and makes the signing secrets of webhooks: 32 or more random characters; quickstart makes one and ' +
        'keeps it in .data/env',
    ),
  ENCRYPTION_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal characters (32 bytes)')
    .optional()
    .describe('Encrypts stored credentials: 64 hexadecimal characters; quickstart makes one and keeps it in .data/env'),
  PREVIOUS_ENCRYPTION_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal characters (32 bytes)')
    .optional()
    .describe(
      'The key before, after ENCRYPTION_KEY was changed: still decrypts, until npm run admin -- encryption rotate has ' +
        'encrypted everything with the new one',
    ),
  PUBLIC_URL: originSetting.optional().meta({
    description: 'How clients reach the service, when it is not http://localhost:PORT',
    example: 'https://tollgate.example.com',
  }),
  SITES_URL: originSetting.optional().meta({
    description:
      'Where the sites that agents publish are served, by this same server and nothing else: https://*.<domain> gives ' +
      'each site an origin of its own, under another domain than PUBLIC_URL. A single host serves them all, without ' +
      'storage and cookies. Without it, agents publish sites in sandbox mode only, at PUBLIC_URL',
    example: 'https://*.tollgate-sites.example',
  }),
  PORT: integerSetting(1, 65535)
    .default(3000)
    .describe('Port of the web server; quickstart finds another when this is not set and 3000 is taken'),
  HOST: textSetting.optional().meta({
    description:
      'Address to listen on: 127.0.0.1 for this machine only, 0.0.0.0 for every network (default: this machine in ' +
      'sandbox mode, all addresses in live mode)',
    example: '0.0.0.0',
  }),
  DRAIN_DELAY_S: integerSetting(0, 600)
    .default(0)
    .describe(
      'Seconds for which /readyz returns 503 "draining" at a shutdown before the listener closes, so that load ' +
        'balancers stop sending requests',
    ),
  TRUST_PROXY: integerSetting(0, 16)
    .default(0)
    .describe('Number of proxies in front whose X-Forwarded-* headers are trusted'),
  CORS_ORIGINS: originsSetting.default([]).meta({
    description:
      'Comma list of the origins whose pages may call /api/v1 from the browser, or * for every page (default: none). ' +
      'A page that holds a key shows it to its visitors: give out keys with a small budget',
    example: 'https://app.example.com',
  }),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'must be a log level')
    .default('info')
    .describe('Lowest level that is logged: trace, debug, info, warn, error or silent'),
  CONFIG_DIR: textSetting.optional().meta({
    description:
      'Folder outside of the installation with the settings (the file env, in the form of this one) and the models ' +
      '(models.json): an upgrade replaces neither. Set it in the environment itself. Without it, the settings are in .env',
    example: '/etc/tollgate',
  }),
  DATA_DIR: textSetting
    .default('.data')
    .describe(
      'Folder for what this machine keeps: the embedded database, secrets made on the first run, logs, and the journal ' +
        'of settlements that wait while the database is unavailable',
    ),
  METRICS_TOKEN: textSetting.optional().describe('Bearer token for /metrics, which is off without one'),
  METRICS_PORT: integerSetting(1, 65535)
    .optional()
    .meta({
      description:
        'Port on which a worker serves /metrics, /healthz and /readyz, at the address HOST; off without one. The web ' +
        'server has them on PORT',
      example: '9464',
    }),
  WEB_CONCURRENCY: integerSetting(1, 256)
    .optional()
    .meta({
      description:
        'Web processes that npm start runs on PORT (default: one per core, and no more than one per 512 MB of memory). ' +
        'quickstart and dev run one',
      example: '4',
    }),
  WORKER_CONCURRENCY: integerSetting(1, 256).optional().meta({
    description:
      'Worker processes that npm run worker runs, 48 runs at a time in each (default: as for WEB_CONCURRENCY)',
    example: '2',
  }),
})

const ModeVariables = z.object({
  UPSTREAMS: z
    .enum(['sandbox', 'live'], 'must be sandbox or live')
    .default('live')
    .describe(
      'Where tools and models get their data: live (the providers) or sandbox (simulated data); quickstart and dev use ' +
        'sandbox',
    ),
  LIVE_PROVIDERS: namesSetting.default([]).meta({
    description:
      'With UPSTREAMS=sandbox: comma list of the providers that are real nevertheless, with their own variables. Known: ' +
      'models (those of MODELS_FILE), search, coingecko, reddit, x, youtube, idealista, apify',
    example: 'models,search',
  }),
  SANDBOX_PROVIDERS: namesSetting.default([]).meta({
    description: 'With UPSTREAMS=live: comma list of the providers that are simulated nevertheless, of the same names',
    example: 'reddit,x,idealista',
  }),
  SANDBOX_URL: urlSetting.default('http://127.0.0.1:4010').describe('Where the sandbox listens'),
})

const AccountVariables = z.object({
  SIGNUP: z
    .enum(['open', 'closed'], 'must be open or closed')
    .optional()
    .meta({
      description:
        'Whether anybody may sign up: open or closed (default: open in sandbox mode, closed in live mode). Create the ' +
        'first admin of a live installation with npm run admin -- owner create --admin',
      example: 'closed',
    }),
  SIGNUP_CREDITS: integerSetting(0, 1e12).optional().meta({
    description: 'Credits that a new owner gets (default: 10000 in sandbox mode, 0 in live mode)',
    example: '0',
  }),
  STEP_UP_ABOVE_CREDITS: integerSetting(0, 1e12)
    .default(10_000)
    .describe(
      'Keys with a larger budget than this, or without one, are made only by owners who gave their password or a second ' +
        'factor within the last ten minutes',
    ),
  TOP_UP_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({
      description: 'Where owners buy credits: the Credits page links to it',
      example: 'https://example.com/credits',
    }),
  TOP_UP_TEXT: textSetting.optional().meta({
    description: 'How owners get credits, in a sentence that the Credits page shows',
    example: 'Write to credits@example.com with your e-mail address and the amount.',
  }),
  AUTH_GITHUB_ID: textSetting.optional().describe('Sign-in with GitHub: offered when both are set'),
  AUTH_GITHUB_SECRET: textSetting.optional().describe('Its client secret'),
  AUTH_GOOGLE_ID: textSetting.optional().describe('Sign-in with Google: offered when both are set'),
  AUTH_GOOGLE_SECRET: textSetting.optional().describe('Its client secret'),
  AUTH_OIDC_ISSUER: issuerSetting.optional().meta({
    description:
      'Sign-in through an OpenID Connect issuer of yours, such as Keycloak, Entra ID, Okta or Google Workspace: its ' +
      'address, as it names itself. Offered with the next two. Register PUBLIC_URL/api/auth/callback/oidc there',
    example: 'https://login.example.com/realms/staff',
  }),
  AUTH_OIDC_ID: textSetting.optional().describe('Our client ID at the issuer'),
  AUTH_OIDC_SECRET: textSetting.optional().describe('Its client secret'),
  AUTH_OIDC_NAME: textSetting.max(40, 'must have at most 40 characters').default('single sign-on').meta({
    description: 'What the button says after “Continue with”',
    example: 'Example Corp',
  }),
  AUTH_OIDC_SCOPE: textSetting
    .refine((scope) => scope.split(' ').includes('openid'), 'must include openid')
    .default('openid email profile')
    .describe('What is asked of the issuer, separated by spaces: some send groups only with the scope groups'),
  AUTH_OIDC_GROUPS_CLAIM: textSetting.default('groups').describe('The claim that has the names of groups, a list'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL' })
    .optional()
    .meta({
      description:
        'Mail server for links to set a new password and to confirm a new e-mail address. Without one the operator ' +
        'makes these links: npm run admin -- owner reset-link',
      example: 'smtps://user:password@mail.example.com:465',
    }),
  SMTP_FROM: textSetting.optional().meta({
    description: 'Sender of these e-mails; needed with SMTP_URL',
    example: 'Tollgate <tollgate@example.com>',
  }),
})

const LimitVariables = z.object({
  CREDITS_PER_USD: integerSetting(1, 1e9)
    .default(2778)
    .describe("Credits that one US dollar of a provider's cost amounts to"),
  MARKUP: z.coerce
    .number({ error: 'must be a number' })
    .min(1, 'must be at least 1')
    .max(100)
    .default(1.2)
    .describe("Price of metered tools and models, as a multiple of the provider's cost"),
  MODELS_FILE: textSetting.optional().meta({
    description: 'Model registry, a JSON file (default: models.json in CONFIG_DIR; else the bundled one of the mode)',
    example: '/etc/tollgate/models.json',
  }),
  OWNER_RPM: integerSetting(1, 1e9)
    .default(10_000)
    .describe(
      'Requests a minute that an owner may make over all keys together, unless operators have set another number for it',
    ),
  DURABLE_ANSWERS: integerSetting(0, 1)
    .default(0)
    .describe(
      '1: every answer waits until its charge is committed. 0: the charge of a short call is in the journal of DATA_DIR ' +
        'when the answer goes out, and in the database some 10 ms later, which survives the death of a process; a loss ' +
        'of power forgets the charges of those milliseconds',
    ),
  WARM_UP: integerSetting(0, 1)
    .default(1)
    .describe(
      '1: a web process loads every page, and renders streams to itself for up to a second before it is ready, so that ' +
        'its first calls meet compiled code. 0: it starts with less, and its first calls take longer',
    ),
  OWNER_CONCURRENCY: integerSetting(1, 1e6)
    .default(200)
    .describe(
      'Calls that an owner may have in progress, steps of agent runs aside, unless operators have set another number for it',
    ),
  OWNER_FILES_GB: integerSetting(0, 1e6)
    .default(20)
    .describe(
      'Gigabytes (10^9 bytes) that the files of an account may take, attachments included; what would make another is ' +
        'refused before it is paid. 0: as much as there is',
    ),
  RETAIN_RECEIPTS_DAYS: integerSetting(0, 36_500)
    .refine((days) => days === 0 || days >= 31, 'must be 0 (keep all) or at least 31')
    .default(0)
    .describe(
      'Days after which receipts are deleted, 31 or more; 0 keeps them. Ledger, daily sums and balances are always kept',
    ),
  RETAIN_RUN_OUTPUT_DAYS: integerSetting(0, 36_500)
    .default(90)
    .describe(
      'Days after which the results of tools and the files of shells in ended agent runs, and deliveries of webhooks, are ' +
        'deleted; 0 keeps them',
    ),
  RETAIN_SITE_VERSIONS: integerSetting(0, 1e6)
    .default(20)
    .describe('Newest versions that are kept of each published site, besides the live one; 0 keeps all'),
  REQUEST_LOG: z
    .enum(['on', 'off'], 'must be on or off')
    .default('off')
    .describe(
      'With on, an owner may choose in Settings that requests and responses are kept: what tools and models were ' +
        'asked and answered, without secrets. Nothing is kept of owners who did not choose it',
    ),
  RETAIN_REQUEST_LOG_DAYS: integerSetting(1, 3_650)
    .default(30)
    .describe('Days after which the requests and responses that owners chose to keep are deleted'),
  RETAIN_RESPONSES_DAYS: integerSetting(0, 3_650)
    .default(30)
    .describe(
      'Days for which responses of the Responses API are kept to be referred to, unless their key says otherwise; 0 keeps ' +
        'none. They are encrypted, so none is kept without ENCRYPTION_KEY',
    ),
  RETAIN_LOST_FILES_DAYS: integerSetting(0, 36_500)
    .optional()
    .meta({
      description:
        'Days after which stored bytes that no file and no site refers to are deleted; 0 keeps them (default: 7 in a ' +
        "folder, 0 in a bucket: set it only where no other database's files are in the same place)",
      example: '7',
    }),
  READ_TIMEOUT_MS: integerSetting(100, 600_000)
    .default(3_000)
    .describe("Longest time in milliseconds for reading a list or a page's sums from the database; then it is a 503"),
  AGENT_WAIT_MAX_S: integerSetting(1, 3600)
    .default(280)
    .describe('Longest time in seconds that an agent call with wait: true blocks'),
  SHELL_PYTHON: z
    .enum(['auto', 'portable'], 'must be auto or portable')
    .default('auto')
    .describe(
      "Python in the shells of agents: auto is the machine's own with pandas and matplotlib where they and bubblewrap are " +
        'installed, else the portable one with its standard library; portable is always that one',
    ),
  WEBHOOK_RETRIES_S: waitsSetting.default([5, 60, 300, 1_800, 7_200, 21_600, 43_200]).meta({
    description:
      'Comma list of the seconds to wait before each further attempt to deliver a webhook; after the last one it has ' +
      'failed (default: 5,60,300,1800,7200,21600,43200)',
    example: '5,60,300',
  }),
  WEBHOOK_TIMEOUT_S: integerSetting(1, 60)
    .default(10)
    .describe("Longest time in seconds that a webhook's receiver may take to answer"),
  WATCHDOG_S: integerSetting(0, 3600)
    .default(60)
    .describe(
      'Seconds after which a process whose event loop is blocked is ended with a report, to be started again; 0: never',
    ),
})

const FileVariables = z.object({
  ALLOW_PRIVATE_HOSTS: hostPortsSetting
    .default([])
    .describe('Comma list of host:port inside your network that tools may fetch from nevertheless'),
  STORAGE_URL: storageSetting.optional().meta({
    description:
      'Where hosted files are stored: file:<folder> or s3://<key>:<secret>@<host>/<bucket>?region=<region> ' +
      '(default: the folder files in DATA_DIR)',
    example: 'file:.data/files',
  }),
  BACKUP_URL: storageSetting.optional().meta({
    description:
      'Where admin backup and restore find the backups when no folder is named: file:<folder> or s3://…, as in ' +
      'STORAGE_URL. Use another bucket or prefix than that of the files',
    example: 's3://key:secret@s3.example.com/tollgate-backups?region=eu-west-3',
  }),
  BACKUP_EVERY_H: integerSetting(0, 8_760)
    .default(24)
    .describe(
      'Hours between two backups by your timer: doctor and alerts report a backup that is half as late again, and a ' +
        'drill that is 10 days old. 0: backups are made by other means, and neither is reported',
    ),
  DRILL_DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// URL' })
    .optional()
    .meta({
      description:
        'Empty database that admin restore --drill fills and empties again (default: an embedded one, where this ' +
        'installation has PostgreSQL; packed folders and images have none)',
      example: 'postgresql://user:password@localhost:5432/tollgate_drill',
    }),
})

const TracingVariables = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: urlSetting.optional().meta({
    description:
      'OpenTelemetry collector that takes OTLP over HTTP: traces are sent to its /v1/traces. Without it and without ' +
      'the next one, tracing is off',
    example: 'http://localhost:4318',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: urlSetting.optional().meta({
    description: 'The whole URL that traces are sent to, instead of the one made from OTEL_EXPORTER_OTLP_ENDPOINT',
    example: 'http://localhost:4318/v1/traces',
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(['http/json'], 'must be http/json')
    .optional()
    .describe('How traces are sent: http/json, which is the only one'),
  OTEL_EXPORTER_OTLP_HEADERS: headersSetting.default({}).meta({
    description:
      'Comma list of name=value: headers that the collector asks for, such as a token. Values are URL-encoded',
    example: 'authorization=Bearer%20token',
  }),
  OTEL_SERVICE_NAME: textSetting.default('tollgate').describe('How traces name this service'),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS, `must be one of ${SAMPLERS.join(', ')}`)
    .default('parentbased_always_on')
    .describe(
      'Which traces are exported: always_on, always_off, traceidratio, or one of them with parentbased_ before it',
    ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('must be a number from 0 to 1')
    .min(0, 'must be a number from 0 to 1')
    .max(1, 'must be a number from 0 to 1')
    .default(1)
    .describe('Share of the traces that the samplers named traceidratio export, from 0 to 1'),
  TRUST_TRACEPARENT: z
    .enum(['on', 'off'], 'must be on or off')
    .default('off')
    .describe(
      'With on, the flag in the traceparent of a caller decides whether its trace is exported, for the samplers named ' +
        'parentbased_. With off a caller can only name the trace. Turn it on where all callers are yours',
    ),
})

/** The sections of `.env.example`, in its order. */
export const VARIABLE_SECTIONS: readonly z.ZodObject[] = [
  ServerVariables,
  ModeVariables,
  AccountVariables,
  LimitVariables,
  FileVariables,
  TracingVariables,
]

export const Variables = z.object({
  ...ServerVariables.shape,
  ...ModeVariables.shape,
  ...AccountVariables.shape,
  ...LimitVariables.shape,
  ...FileVariables.shape,
  ...TracingVariables.shape,
})
