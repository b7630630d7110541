import { expect, it } from 'vitest'
import { throttled } from './errors.ts'
import { inLanguage, text } from './texts.ts'

it('one second is one second, in English and in Chinese', () => {
  const wait = (seconds: number, language: 'en' | 'zh') => inLanguage(throttled(seconds).body, language)
  expect(wait(1, 'en')).toEqual({ detail: 'Too many attempts. Please try again in 1 second.' })
  expect(wait(2, 'en')).toEqual({ detail: 'Too many attempts. Please try again in 2 seconds.' })
  expect(wait(1, 'zh')).toEqual({ detail: '尝试次数过多，请在 1 秒后重试。' })
})

it.each(['{{brand}}', '$t(throttled)', 'a & <b>', '$&'])('a name that reads %s is said as it is', (name) => {
  expect(text('accounts-server', 'noSuchBrand', { names: name }).in('en')).toContain(`Known are: ${name}.`)
})

it('a sentence within a sentence is said in the same language', () => {
  const why = text('queue-server', 'begun', { count: 1 })
  expect(text('accounts-server', 'noSuchBrand', { names: why }).in('zh')).toContain('其中 1 份已经开始打印')
})

it('what nobody has given is left out, and a key that nobody knows stands for itself', () => {
  expect(text('accounts-server', 'noSuchBrand').in('en')).toContain('Known are: .')
  expect(text('accounts-server', 'no.such: key').in('zh')).toBe('no.such: key')
})
