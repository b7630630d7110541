import { letterOf, type NoticeLetter, PICTURE } from './letters.ts'
import { type Channel, envVar, type Message, NotAccepted, say } from './port.ts'

const letterFor = ({ notice, user, words }: Message, hasPicture: boolean): NoticeLetter => ({
  kind: notice.kind,
  code: notice.code,
  name: user.firstName,
  printer: {
    id: notice.printer.id,
    name: notice.printer.name,
    pauseOnFailure: notice.printer.pauseOnFailure,
  },
  print: {
    id: notice.print.id,
    filename: notice.print.filename,
    seconds: notice.over?.seconds ?? null,
  },
  isWarning: notice.isWarning,
  printPaused: notice.printPaused,
  hadAlert: notice.print.alertedAt !== null,
  watched: notice.over ? { seconds: notice.over.watched, unseen: [...notice.over.unseen] } : null,
  heater: notice.heater,
  hasPicture,
  hasFilm: notice.hasFilm ?? false,
  asks: notice.asks ?? null,
  hours: notice.hours ?? null,
  linkId: notice.linkId ?? null,
  firstLayer: notice.firstLayer ?? null,
  away: notice.away ?? null,
  summary:
    (notice.summary ?? notice.channel ?? notice.others)
      ? { title: words().title, lines: [...words().lines] }
      : null,
})

/** A letter to each of somebody's confirmed addresses, the picture in it; one that has it is enough. */
async function post(message: Message): Promise<void> {
  const addresses = await message.mailAddresses()
  if (addresses.length === 0) throw new NotAccepted(say('noAddress'), { isFinal: true })
  const picture = await message.picture(1280)
  const data = letterFor(message, picture !== null)
  const attachments = picture
    ? [{ filename: 'Image.jpg', contentType: 'image/jpeg', content: picture, cid: PICTURE }]
    : []
  const outcomes = await Promise.allSettled(
    addresses.map((to) => message.mail({ to, template: letterOf(data.kind), data }, attachments)),
  )
  const [first] = outcomes
  if (outcomes.every(({ status }) => status === 'rejected') && first?.status === 'rejected')
    throw first.reason
}

/** Letters, by the mail server of this server (docs/self-hosting.md). Everybody has it from the beginning. */
export const channel: Channel = {
  name: 'email',
  envVars: (env) => ({
    EMAIL_HOST: envVar(env.EMAIL_HOST, { isShown: true }),
    EMAIL_PORT: envVar(String(env.EMAIL_PORT), { isShown: true }),
    // Where no address need be confirmed, letters go to all of them.
    ACCOUNT_EMAIL_VERIFICATION: envVar(env.ACCOUNT_EMAIL_VERIFICATION, { isRequired: false, isShown: true }),
    EMAIL_HOST_USER: envVar(env.EMAIL_HOST_USER, { isRequired: false }),
    EMAIL_HOST_PASSWORD: envVar(env.EMAIL_HOST_PASSWORD, { isRequired: false }),
  }),
  validateConfig: () => ({}),
  destination: () => 'smtp',
  sendFailureAlert: post,
  sendPrinterNotification: post,
  sendTestMessage: post,
}
