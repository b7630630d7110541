import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../../../config.ts'
import { openMail } from '../../../engines/mail/index.ts'
import { LetterRefused, MailUnavailable } from '../../../engines/mail/port.ts'
import { aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { openTestSmtp, type TestSmtp } from '../../../test/smtp.ts'
import { composeMail, defineMail, linkToken, requireMail, sendMail } from './index.ts'
import { asId } from '../../../test/ids.ts'

const HOSTILE = '<script>alert(1)</script>\r\nBcc: all@example.org'
const notice = defineMail({
  name: 'test-notice',
  schema: z.object({ file: z.string() }),
  list: 'print_done',
  samples: { usual: { file: 'benchy.gcode' } },
  write: ({ file }, { link, token }) => ({
    subject: `${file} is ready`,
    title: file,
    blocks: [
      { kind: 'text', words: `It says: ${file}` },
      { kind: 'picture', src: 'cid:picture', alt: 'The print' },
      { kind: 'buttons', buttons: [{ label: 'Open', href: link(`/prints/1/?key=${token('some link')}`) }] },
    ],
  }),
})

let smtp: TestSmtp
let app: TestApp
let admin: TestUser
let user: TestUser

beforeAll(async () => {
  smtp = await openTestSmtp({ user: 'vigil@example.org', password: 'secret word' })
  app = await buildTestApp({ env: smtp.env })
  user = await aUser(app)
  admin = await aUser(app, { isAdmin: true })
})
afterAll(async () => {
  await app.close()
  await smtp.close()
})
beforeEach(() => {
  smtp.refuse = null
  smtp.received.length = 0
})

const order = (key: string, file = 'benchy.gcode') => ({
  userId: user.id,
  to: user.email,
  template: notice,
  data: { file },
  key,
})
const rowOf = (key: string) =>
  app.ctx.db.selectFrom('mails').selectAll().where('key', '=', key).executeTakeFirst()

describe('sendMail', () => {
  it('sends one letter for a key, in both forms, with one-click unsubscribing', async () => {
    const key = 'done:1'
    await Promise.all([sendMail(app.ctx, order(key, HOSTILE)), sendMail(app.ctx, order(key, HOSTILE))])
    const letter = await smtp.letterTo(user.email, /is ready/)
    await vi.waitFor(async () => expect((await rowOf(key))?.state).toBe('sent'))
    expect(smtp.received).toHaveLength(1)
    expect(smtp.received[0]).toMatchObject({ from: 'vigil@example.org', to: [user.email] })
    expect(letter.from).toMatchObject({ address: 'vigil@example.org', name: 'Vigil' })
    expect(letter.subject).toBe('<script>alert(1)</script> Bcc: all@example.org is ready')
    expect(letter.html).not.toContain('<script>')
    expect(letter.text).toContain(`/prints/1/?key=${linkToken(app.ctx, 'some link')}`)
    const header = (name: string) => letter.headers.find(({ key: one }) => one === name)?.value
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    expect(header('list-unsubscribe')).toMatch(
      /^<http:\/\/127\.0\.0\.1:\d+\/unsubscribe_email\/\?unsub_token=[0-9a-f-]{36}&list=print_done>$/,
    )
    // What it said, links included, is not kept.
    expect(await rowOf(key)).toMatchObject({
      tries: 1,
      data: {},
      outcome: expect.stringContaining('queued as TEST'),
    })
  })

  it('is part of the transaction that asks for it', async () => {
    const undone = app.ctx.db.transaction().execute(async (db) => {
      await sendMail({ ...app.ctx, db }, order('undone'))
      throw new Error('changed my mind')
    })
    await expect(undone).rejects.toThrow('changed my mind')
    expect(await rowOf('undone')).toBeUndefined()
  })

  it('gives up a letter that the mail server refuses, and remembers its words', async () => {
    smtp.refuse = { code: 550, message: 'no such mailbox' }
    await sendMail(app.ctx, order('nobody'))
    await vi.waitFor(async () => expect((await rowOf('nobody'))?.state).toBe('refused'))
    expect(await rowOf('nobody')).toMatchObject({ outcome: expect.stringContaining('no such mailbox') })
  })

  it('keeps a letter that the mail server puts off', async () => {
    smtp.refuse = { code: 451, message: 'come back later' }
    await sendMail(app.ctx, order('greylisted'))
    await vi.waitFor(async () => expect((await rowOf('greylisted'))?.tries).toBe(1))
    expect(await rowOf('greylisted')).toMatchObject({ state: 'waiting' })
  })

  it('does not send what came too late', async () => {
    await app.ctx.db.transaction().execute(async (db) => {
      await sendMail({ ...app.ctx, db }, { ...order('late'), goodForMs: 0 })
    })
    await vi.waitFor(async () => expect((await rowOf('late'))?.state).toBe('expired'))
    expect(smtp.received).toHaveLength(0)
  })
})

describe('composeMail', () => {
  it('writes in the reader’s language, with what goes with it', async () => {
    await app.ctx.db.updateTable('users').set({ language: 'zh' }).where('id', '=', user.id).execute()
    const picture = {
      filename: 'Image.jpg',
      contentType: 'image/jpeg',
      content: Buffer.from('JPEG'),
      cid: 'picture',
    }
    const letter = (await composeMail(app.ctx, order('own job'), [picture]))!
    expect(letter.html).toContain('<html lang="zh-CN">')
    expect(letter.text).toContain('退订')
    const { response } = await app.ctx.mail.send(letter)
    expect(response).toContain('queued as TEST')
    const [sent] = smtp.received
    expect(sent!.mail.attachments).toMatchObject([{ mimeType: 'image/jpeg', contentId: '<picture>' }])
    // The same letter once more is known by its id.
    await app.ctx.mail.send((await composeMail(app.ctx, order('own job')))!)
    expect(smtp.received[1]!.mail.messageId).toBe(sent!.mail.messageId)
    expect(await composeMail(app.ctx, { ...order('x'), userId: asId(999_999) })).toBeUndefined()
  })
})

describe('the mail server', () => {
  it('is called over one connection that stays open', async () => {
    const before = smtp.connections
    const letter = (await composeMail(app.ctx, order('many')))!
    await Promise.all(Array.from({ length: 5 }, () => app.ctx.mail.send(letter)))
    expect(smtp.connections - before).toBeLessThanOrEqual(1)
  })

  it('that is away, or does not let us in, is told from one that refuses a letter', async () => {
    const letter = (await composeMail(app.ctx, order('away')))!
    const env = { VIGIL_SECRET: 'x'.repeat(32), NODE_ENV: 'test', ...smtp.env }
    const away = await openMail(readConfig({ ...env, EMAIL_PORT: '1' }))
    await expect(away.send(letter)).rejects.toThrow(MailUnavailable)
    const wrong = await openMail(readConfig({ ...env, EMAIL_HOST_PASSWORD: 'wrong' }))
    await expect(wrong.send(letter)).rejects.toThrow(MailUnavailable)
    smtp.refuse = { code: 550, message: 'no such mailbox' }
    await expect(app.ctx.mail.send(letter)).rejects.toThrow(LetterRefused)
    await Promise.all([away.close(), wrong.close()])
  })

  it('is asked for TLS unless that is turned off', async () => {
    const letter = (await composeMail(app.ctx, order('tls')))!
    const plain = await openMail(
      readConfig({ VIGIL_SECRET: 'x'.repeat(32), ...smtp.env, EMAIL_USE_TLS: 'true' }),
    )
    await expect(plain.send(letter)).rejects.toThrow(MailUnavailable)
    await plain.close()
    expect(smtp.received).toHaveLength(0)
  })
})

it('leads nowhere, and what is nothing but a link is not sent, while no administrator has signed in', async () => {
  const users = (isStaff: boolean) =>
    app.ctx.db.updateTable('users').set({ isStaff }).where('id', '=', admin.id).execute()
  await users(false)
  try {
    await expect(requireMail(app.ctx)).rejects.toThrow('PUBLIC_URL')
    await sendMail(app.ctx, order('homeless'))
    await vi.waitFor(async () => expect((await rowOf('homeless'))?.state).toBe('refused'))
    // An alert is told all the same.
    const letter = (await composeMail(app.ctx, order('alert')))!
    expect(letter.text).toContain('It says: benchy.gcode')
    expect(`${letter.text}${letter.html}${JSON.stringify(letter.headers)}`).not.toMatch(/https?:|href/)
    expect(smtp.received).toHaveLength(0)
    // A person's own sign-in says nothing: anybody who may sign up could name a host.
    expect((await rowOf('homeless'))?.outcome).toContain('PUBLIC_URL')
  } finally {
    await users(true)
  }
})

it('shows administrators every letter in each language and brand, and nobody else', async () => {
  expect((await call(app, 'GET', '/dev/mail/', { cookie: user.cookie })).status).toBe(404)
  const list = await call(app, 'GET', '/dev/mail/', { cookie: admin.cookie })
  expect(list.text).toContain('test-notice')
  const pages = [...list.text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&'))
  expect(pages.length).toBeGreaterThan(7)
  for (const page of pages) {
    const shown = await call(app, 'GET', page, { cookie: admin.cookie })
    expect(shown.status, page).toBe(200)
    expect(shown.text, page).not.toMatch(/undefined|\{\{|cid:/)
  }
  expect((await call(app, 'GET', '/dev/mail/test-notice/other/', { cookie: admin.cookie })).status).toBe(404)
})

it('without EMAIL_HOST nothing is sent, and who needs mail is told how it is set up', async () => {
  const mail = await openMail(readConfig({ VIGIL_SECRET: 'x'.repeat(32) }))
  expect(mail.isConfigured).toBe(false)
  await expect(mail.send((await composeMail(app.ctx, order('none')))!)).rejects.toThrow(
    'EMAIL_HOST is not set',
  )
  await expect(requireMail({ ...app.ctx, mail })).rejects.toThrow('EMAIL_HOST')
  expect(() => readConfig({ ACCOUNT_EMAIL_VERIFICATION: 'mandatory' })).toThrow('needs EMAIL_HOST')
})
