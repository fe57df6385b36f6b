import type { ProductionCheck } from './check'
import { alertsCheck } from './checks/alerts'
import { configurationCheck } from './checks/configurations'
import { containersCheck } from './checks/containers'
import { embeddedUpgradeCheck } from './checks/embedded-upgrade'
import { failoverCheck } from './checks/failover'
import { lifecycleCheck } from './checks/lifecycle'
import { pgbouncerChecks } from './checks/pgbouncer'
import { postgresTlsCheck } from './checks/postgres-tls'
import { proxyChecks } from './checks/proxies'

/** Every check, in the order in which they run. */
export const PRODUCTION_CHECKS: readonly ProductionCheck[] = [
  configurationCheck,
  alertsCheck,
  lifecycleCheck,
  failoverCheck,
  postgresTlsCheck,
  ...pgbouncerChecks,
  ...proxyChecks,
  embeddedUpgradeCheck,
  containersCheck,
]
