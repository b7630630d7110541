import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import laterEn from '../../../locales/en/assistant/assistant.json'
import laterZh from '../../../locales/zh/assistant/assistant.json'
import { texts as en } from './texts.en.ts'
import { texts as zh } from './texts.zh.ts'

function leaves(value: unknown, path = ''): Map<string, string> {
  if (typeof value === 'string') return new Map([[path, value]])
  const entries = Object.entries(value as object).flatMap(([key, each]) => [
    ...leaves(each, path ? `${path}.${key}` : key),
  ])
  return new Map(entries)
}

const places = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).toSorted()

describe('texts', () => {
  const english = leaves({ ...en, assistant: laterEn })
  const chinese = leaves({ ...zh, assistant: laterZh })

  it('are complete in both languages', () => {
    expect([...chinese.keys()].toSorted()).toEqual([...english.keys()].toSorted())
  })

  it('are never empty', () => {
    for (const [key, text] of [...english, ...chinese]) expect(text.trim(), key).not.toBe('')
  })

  it.each([
    ['连接', '添加打印机|添加.*台打印机|关联'],
    ['监测', '监控|监看'],
    ['失败', '故障'],
    ['账户', '帐户'],
    ['方案', '套餐'],
    ['命令', '指令'],
    ['上次在线', '最后在线'],
    ['自建服务器', '自托管'],
    ['代理程序', '代理(?!程序)'],
  ])('call one thing by one word in Chinese: %s', (_word, others) => {
    const folder = join(import.meta.dirname, '../../../locales/zh')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.json'),
    )
    const said = files.flatMap((file) => [
      ...leaves(JSON.parse(readFileSync(join(folder, file), 'utf8')), file),
    ])
    expect(said.filter(([, text]) => new RegExp(others).test(text))).toEqual([])
  })

  it('use the same places', () => {
    for (const [key, text] of english) expect(places(chinese.get(key) ?? ''), key).toEqual(places(text))
  })
})
