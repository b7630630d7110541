import { expect, test } from 'vitest'
import { Text, text } from '../../../http/texts.ts'
import { keptProblem, problemText } from './problem.texts.ts'

test('a sentence of ours is worded for who reads it; a receiver never speaks in our place', () => {
  const ours = problemText(keptProblem(text('notifications-server', 'timedOut', { host: 'ntfy.sh' })))
  expect(ours).toBeInstanceOf(Text)
  expect((ours as Text).in('zh')).toBe('ntfy.sh 没有及时应答')
  expect((ours as Text).in('en')).toBe('ntfy.sh did not answer in time')
  expect(problemText('HTTP 403: go away')).toBe('HTTP 403: go away')
  expect(problemText(keptProblem('\u0001["noPhone",{}]'))).toBe('["noPhone",{}]')
})
