import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { fieldErrors } from './errors.ts'
import { inLanguage } from './texts.ts'

const SERVER = join(import.meta.dirname, '..')
const CONTRACT = join(SERVER, '../contract')

const said = (schema: z.ZodType, value: unknown, language: 'en' | 'zh') => {
  const { error } = schema.safeParse({ field: value }, { reportInput: true })
  return (inLanguage(fieldErrors(error!), language) as { field: string[] }).field
}

test.each([
  [z.email(), 'nobody', 'Enter a valid email address.', '请输入有效的电子邮箱地址。'],
  [z.string().max(3), 'long', 'Ensure this field has no more than 3 characters.', '此项不能超过 3 个字符。'],
  [z.string().min(3), 'a', 'Ensure this field has at least 3 characters.', '此项至少需要 3 个字符。'],
  [z.number().max(50), 51, 'Ensure this value is less than or equal to 50.', '此值不能大于 50。'],
  [z.number().min(0.5), 0, 'Ensure this value is greater than or equal to 0.5.', '此值不能小于 0.5。'],
  [z.string(), undefined, 'This field is required.', '此项为必填项。'],
  [z.string(), null, 'This field may not be empty.', '此项不能为空。'],
  [z.number(), 'x', 'Invalid input: expected number, received string', '此值无效。'],
])('what is wrong with a field is said in both languages', (field, value, english, chinese) => {
  const schema = z.object({ field })
  expect(said(schema, value, 'en')).toEqual([english])
  expect(said(schema, value, 'zh')).toEqual([chinese])
})

/** Sentences in the contract and in the modules that a browser calls; what only agents and apps read stays English. */
const AGENTS =
  /[/\\](agents|frames|video|janus|sfu|linking|passthru|nozzle-camera|media|apps|first-layer|bodies)[./\\]/
const SENTENCE =
  /(?:error: |notFound\(|forbidden\(|unavailable\(|badRequest\(|detail: |ends_at: |\b(?:min|max)\(\d+, |refine\(\w+, )'([A-Z][^']+ [^']+)'/g

function sentences(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith('.ts') && !/\.(?:test|fixture)\.ts$/.test(path) && !AGENTS.test(path))
    .filter((path) => !path.includes('node_modules'))
    .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(SENTENCE)].map(([, words]) => words!))
}

test('every sentence that can reach a page has Chinese words', () => {
  const all = [CONTRACT, join(SERVER, 'modules'), join(SERVER, 'http')].flatMap(sentences)
  expect(all.length).toBeGreaterThan(20)
  expect(all.filter((english) => inLanguage(english, 'zh') === english)).toEqual([])
})
