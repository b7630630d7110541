import { z } from 'zod'
import { email, newPassword } from './accounts.ts'
import { endpoint } from '../endpoint.ts'
import { proofWanted } from './proof.ts'
import { text } from '../values.ts'

export const changePassword = endpoint({
  method: 'POST',
  path: '/api/v1/auth/password/change/',
  callers: ['session'],
  summary: 'Change the password; other sessions end',
  answers: { 403: proofWanted },
  body: z.object({ old: text(1000), new: newPassword }),
  response: null,
  status: 204,
})

export const setFirstPassword = endpoint({
  method: 'POST',
  path: '/api/v1/auth/password/set/',
  callers: ['session'],
  summary: 'Give an account a password that has none',
  answers: { 403: proofWanted },
  body: z.object({ new: newPassword }),
  response: null,
  status: 204,
})

export const askReset = endpoint({
  method: 'POST',
  path: '/api/v1/auth/password/reset/',
  callers: ['anyone'],
  summary: 'Mail a link to choose a new password; the answer is the same for every address',
  body: z.object({ email }),
  response: null,
  status: 204,
})

const link = { uid: text(20), token: text(200) }

export const checkReset = endpoint({
  method: 'GET',
  path: '/api/v1/auth/password/reset/confirm/',
  callers: ['anyone'],
  summary: 'Whether such a link still works; changes nothing',
  query: z.object(link),
  response: null,
  status: 204,
})

export const confirmReset = endpoint({
  method: 'POST',
  path: '/api/v1/auth/password/reset/confirm/',
  callers: ['anyone'],
  summary: 'Choose a new password with such a link; all sessions end',
  body: z.object({ ...link, password: newPassword }),
  response: null,
  status: 204,
})
