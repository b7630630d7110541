import { z } from 'zod'
import { text } from '../../../http/texts.ts'
import { defineMail } from '../../people/mail/index.ts'

const say = (key: string, params: Record<string, string> = {}) => text('assistant-server', key, params)

/** What somebody has written to support; goes to the one address of this server. All of it is data. */
export const supportLetter = defineMail({
  name: 'support-request',
  schema: z.object({
    message: z.string(),
    /** Where to answer; '' where nobody can. */
    email: z.string(),
    account: z.string(),
    chat: z.string(),
  }),
  samples: {
    account: {
      message: 'My chat has no answer.\nWhat now?',
      email: 'ada@example.org',
      account: '7',
      chat: '12',
    },
    nobody: { message: 'I can’t sign in.', email: '', account: '', chat: '' },
  },
  write: ({ message, email, account, chat }) => ({
    subject: say('supportSubject', { who: email === '' ? say('supportNobody').toString() : email }),
    title: say('supportTitle'),
    blocks: [
      { kind: 'text', words: message },
      {
        kind: 'facts',
        facts: [
          [say('supportFrom'), email === '' ? say('supportNobody') : email],
          ...(account === '' ? [] : [[say('supportAccount'), account] as const]),
          ...(chat === '' ? [] : [[say('supportChat'), chat] as const]),
        ],
      },
    ],
  }),
})
