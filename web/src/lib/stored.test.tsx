import { afterEach, expect, test } from 'vitest'
import { chooseLanguage, startI18n } from './i18n.ts'
import { noteWelcomed, wasWelcomed } from './stored.ts'

afterEach(() => localStorage.clear())

test('each who tries a plan in this browser is welcomed once, however often others do between', () => {
  expect(wasWelcomed(1)).toBe(false)
  for (const id of [1, 12, 1, 12]) noteWelcomed(id)
  expect([1, 12, 2].map(wasWelcomed)).toEqual([true, true, false])
  for (let id = 100; id < 119; id++) noteWelcomed(id)
  expect([1, 12, 118].map(wasWelcomed)).toEqual([false, true, true])
})

test('pages that the server draws are told which language was chosen here, also before they were', async () => {
  const told = () => /tsd_language=(\w+)/.exec(document.cookie)?.[1]
  localStorage.setItem('user-language', 'zh')
  await startI18n()
  expect(told()).toBe('zh')
  await chooseLanguage('en')
  expect(told()).toBe('en')
})
