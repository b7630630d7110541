import { ask, jsonOf, mustAccept } from './http.ts'
import { type Channel, envVar, type Message, NotAccepted, refuse, say, textField } from './port.ts'

/** A message of three parts costs three; more than that is cut. */
const MOST = 450

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

async function post(message: Message): Promise<void> {
  const { config, env, user, links } = message
  if (!user.hasSms) throw new NotAccepted(say('proOnly'), { isFinal: true })
  if (isEmpty(config['phone_number'])) throw new NotAccepted(say('required'), { isFinal: true })
  const words = message.words().lines.join(' ').slice(0, MOST)
  const body = new URLSearchParams({
    To: `${String(config['phone_country_code'])}${String(config['phone_number'])}`,
    From: env.TWILIO_FROM_NUMBER ?? '',
    Body: links ? `${words} ${links.open}` : words,
  })
  const account = env.TWILIO_ACCOUNT_SID ?? ''
  const secret = Buffer.from(`${account}:${env.TWILIO_AUTH_TOKEN ?? ''}`).toString('base64')
  const answer = await ask(message, {
    url: `https://api.twilio.com/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`,
    namedBy: 'vendor',
    headers: {
      authorization: `Basic ${secret}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: body.toString(),
  })
  const { message: said } = jsonOf(answer)
  mustAccept(answer, typeof said === 'string' ? said : undefined)
}

/** Text messages, for failures alone, by an account of the server's (docs/wire/tell.md 3). */
export const channel: Channel = {
  name: 'twilio',
  features: ['notify_on_failure_alert'],
  envVars: (env) => ({
    TWILIO_ACCOUNT_SID: envVar(env.TWILIO_ACCOUNT_SID),
    TWILIO_AUTH_TOKEN: envVar(env.TWILIO_AUTH_TOKEN),
    TWILIO_FROM_NUMBER: envVar(env.TWILIO_FROM_NUMBER),
  }),
  async validateConfig(given, { env, user }) {
    if ('phone_number' in given && isEmpty(given['phone_number']))
      return { phone_country_code: '', phone_number: '' }
    if (!user.hasSms) throw refuse('phone_number', 'proOnly')
    const digits = textField(given, 'phone_country_code', 8).replace(/^\+?/, '')
    const number = textField(given, 'phone_number', 40)
    if (!/^\d{1,4}$/.test(digits)) throw refuse('phone_country_code', 'badCountry')
    const allowed = env.TWILIO_COUNTRY_CODES.map((code) => code.replace(/^\+/, ''))
    if (allowed.length > 0 && !allowed.includes(digits)) throw refuse('phone_country_code', 'badCountry')
    const { parsePhoneNumberFromString } = await import('libphonenumber-js/max')
    const parsed = parsePhoneNumberFromString(`+${digits}${number}`)
    if (!parsed?.isValid() || parsed.countryCallingCode !== digits) throw refuse('phone_number', 'badPhone')
    return { phone_country_code: `+${digits}`, phone_number: String(parsed.nationalNumber) }
  },
  destination: () => 'api.twilio.com',
  sendFailureAlert: post,
  sendTestMessage: post,
}
