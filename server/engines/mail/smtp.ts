import { createTransport } from 'nodemailer'
import type { Config } from '../../config.ts'
import { LetterRefused, type Mail, MailUnavailable } from './port.ts'

/** At home one connection does; a node of a company has a few. */
const CONNECTIONS = { home: 1, company: 4 }
/** How long a mail server may take to answer the call, to greet, and to say its next word. */
const LIMITS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
  dnsTimeout: 10_000,
}
/** An idle connection is given back soon: many servers count them. */
const IDLE_MS = 30_000

type SmtpConfig = Config & { EMAIL_HOST: string }

/** How the server is reached, and who we are there. */
function wayTo({ EMAIL_HOST: host, EMAIL_PORT: port, EMAIL_USE_TLS: useTls, ...config }: SmtpConfig) {
  const secure = useTls && port === 465
  const user = config.EMAIL_HOST_USER
  return {
    host,
    port,
    secure,
    requireTLS: useTls && !secure,
    ignoreTLS: !useTls,
    ...(user === undefined ? {} : { auth: { user, pass: config.EMAIL_HOST_PASSWORD ?? '' } }),
    ...LIMITS,
  }
}

/** Calls the server and signs in; what it said when that fails. */
export async function whyNoSmtp(config: SmtpConfig): Promise<string | null> {
  const transport = createTransport(wayTo(config))
  try {
    await transport.verify()
    return null
  } catch (error) {
    return failureOf(error).message
  } finally {
    transport.close()
  }
}

/** Letters by SMTP over a few connections that stay open for a while. */
export function openSmtp(config: SmtpConfig, from: Mail['from']): Mail {
  const transport = createTransport({
    pool: true,
    ...wayTo(config),
    maxConnections: config.DATABASE_URL === undefined ? CONNECTIONS.home : CONNECTIONS.company,
    // A lost connection is the job's affair: it says so, and tries again later.
    maxRequeues: 0,
    idleTimeout: IDLE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    isConfigured: true,
    from,
    async send({ attachments = [], messageId, headers = {}, ...letter }, signal) {
      try {
        const sent = await transport.sendMail({
          ...letter,
          messageId: `<${messageId}>`,
          headers: { ...headers, 'Auto-Submitted': 'auto-generated' },
          attachments: attachments.map(({ content, ...one }) => ({ ...one, content: Buffer.from(content) })),
          ...(signal === undefined ? {} : { signal }),
        })
        return { response: sent.response }
      } catch (error) {
        throw failureOf(error)
      }
    },
    close: () => {
      transport.close()
      return Promise.resolve()
    },
  }
}

/** 5xx about the receiver or the letter is final; about our account, or no answer at all, it is not. */
function failureOf(error: unknown): Error {
  const { code, responseCode, response, message } = error as {
    code?: string
    responseCode?: number
    response?: string
    message: string
  }
  const isFinal = (code === 'EENVELOPE' || code === 'EMESSAGE') && (responseCode ?? 0) >= 500
  const said = (response ?? message).slice(0, 500)
  if (isFinal) return new LetterRefused(said, { cause: error })
  return new MailUnavailable(said, { cause: error })
}
