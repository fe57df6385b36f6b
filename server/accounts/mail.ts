import type { Transporter } from 'nodemailer'
import { env } from '../env'
import { lazy } from '../kit/lazy'
import { log } from '../kit/log'

/** How long a mail server may take to answer, in milliseconds. */
const WAIT_MS = 10_000

const transport = lazy<Promise<Transporter>>(async () =>
  (await import('nodemailer')).createTransport({
    url: env().SMTP_URL,
    connectionTimeout: WAIT_MS,
    greetingTimeout: WAIT_MS,
    socketTimeout: 2 * WAIT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  }),
)

/** Whether the operator has set a mail server. */
export const canSendMail = (): boolean => env().SMTP_URL !== undefined

export type Mail = { to: string; subject: string; text: string }

/**
 * Sends an e-mail as plain text. One that the mail server does not take is logged without its text,
 * which may have a link in it. Returns whether it was taken.
 */
export async function sendMail({ to, subject, text }: Mail): Promise<boolean> {
  try {
    await (await transport()).sendMail({ from: env().SMTP_FROM, to: { name: '', address: to }, subject, text })
    return true
  } catch (error) {
    log.error({ subject, err: (error as Error).message }, 'an e-mail was not sent')
    return false
  }
}
