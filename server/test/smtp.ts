import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'

/** A letter as a mail server got it. */
export interface Received {
  readonly from: string
  readonly to: string[]
  readonly mail: Email
}

/** A real mail server on a free port of 127.0.0.1 that keeps what it takes over. */
export interface TestSmtp {
  readonly port: number
  readonly received: Received[]
  /** What the configuration of a server says to use it. */
  readonly env: Record<string, string>
  /** How often somebody connected. */
  connections: number
  /** From now on: an answer to every receiver (`550 no such mailbox`); null takes all. */
  refuse: { code: number; message: string } | null
  /** From now on it answers nobody who names a receiver. */
  isSilent: boolean
  /** Waits for the letter to this address of which the subject matches, the newest first. */
  letterTo(address: string, subject: RegExp): Promise<Email>
  close(): Promise<void>
}

interface Options {
  readonly user?: string
  readonly password?: string
}

export async function openTestSmtp({ user, password }: Options = {}): Promise<TestSmtp> {
  const received: Received[] = []
  const listeners = new Set<() => void>()
  const take = async (
    stream: AsyncIterable<unknown>,
    { mailFrom, rcptTo }: SMTPServerSession['envelope'],
    done: (error: Error | null, message?: string) => void,
  ) => {
    const parts: Buffer[] = []
    for await (const part of stream) parts.push(part as Buffer)
    const mail = await PostalMime.parse(Buffer.concat(parts))
    const from = mailFrom === false ? '' : mailFrom.address
    received.push({ from, to: rcptTo.map(({ address }) => address), mail })
    done(null, 'queued as TEST')
    for (const listener of listeners) listener()
  }
  const server = new SMTPServer({
    authOptional: user === undefined,
    disabledCommands: user === undefined ? ['STARTTLS', 'AUTH'] : ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    closeTimeout: 200,
    onConnect(_session, done) {
      smtp.connections++
      done()
    },
    onAuth(given, _session, done) {
      const isRight = given.username === user && given.password === password
      done(isRight ? null : new Error('Invalid username or password'), { user: given.username })
    },
    onRcptTo(_address, _session, done) {
      const { refuse, isSilent } = smtp
      if (isSilent) return
      done(refuse && Object.assign(new Error(refuse.message), { responseCode: refuse.code }))
    },
    // Who hangs up in the middle of a letter has sent none.
    onData: (stream, session, done) => void take(stream, session.envelope, done).catch(() => undefined),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  const smtp: TestSmtp = {
    port,
    received,
    connections: 0,
    refuse: null,
    isSilent: false,
    env: {
      EMAIL_HOST: '127.0.0.1',
      EMAIL_PORT: String(port),
      EMAIL_USE_TLS: 'false',
      DEFAULT_FROM_EMAIL: 'vigil@example.org',
      ...(user === undefined ? {} : { EMAIL_HOST_USER: user, EMAIL_HOST_PASSWORD: password ?? '' }),
    },
    async letterTo(address, subject) {
      for (;;) {
        const found = received.findLast(
          ({ to, mail }) => to.includes(address) && subject.test(mail.subject ?? ''),
        )
        if (found) return found.mail
        await new Promise<void>((resolve) => {
          const listener = () => (listeners.delete(listener), resolve())
          listeners.add(listener)
        })
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return smtp
}
