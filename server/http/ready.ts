import { makeReadyHandler } from './health'
import { visitorCaller } from './procedure'

/** `/readyz` of a web process. */
export const readyHandler = makeReadyHandler((req) => visitorCaller(req).readiness())
