import { once } from '../../../lib/once.ts'
import { table } from './table.ts'
import { type Token, tokensOf } from './tokens.rules.ts'

/** What a part of a sentence means. */
export type Meaning =
  | { readonly kind: 'rule'; readonly id: string }
  | { readonly kind: 'setting'; readonly key: string }
  | { readonly kind: 'value'; readonly key: string; readonly value: string }
  | { readonly kind: 'intent'; readonly name: string }
  | { readonly kind: 'material'; readonly name: string }
  | { readonly kind: 'said'; readonly at: number }
  | { readonly kind: Grammar }

const KINDS = [
  'keep',
  'speeds',
  'up',
  'down',
  'to',
  'by',
  'off',
  'on',
  'what',
  'should',
  'whether',
  'why',
  'undo',
  'double',
  'half',
  'plate',
  'help',
  'sep',
] as const
type Grammar = (typeof KINDS)[number]
/** English | Chinese. */
const GRAMMAR: Readonly<Record<Grammar, string>> = {
  keep: 'dont change, do not change, dont touch, do not touch, leave, keep, not change, without changing|不要改, 不要动, 别动, 别改, 保持, 不改变, 不要改变',
  speeds: 'speed, speeds, print speed, printing speed|速度, 打印速度',
  up: 'more, increase*, raise*, higher, thicker, bigger, larger, wider, add, another, extra, boost, stronger, denser, turn up, bump, +|增加, 提高, 加大, 调高, 升高, 多, 更多, 加, 高一点, 加厚, 厚一点, 厚点, 提升, 再加, 大一点',
  down: 'less, fewer, decrease*, reduce*, lower*, not too much, not too many, not so much, not so many, thinner, smaller, drop*, cut, narrower, turn down, minus, -|不要太多, 不要太高, 别太多, 别太高, 不要太密, 减少, 降低, 调低, 减小, 少, 更少, 减, 低一点, 小一点, 薄一点',
  to: 'to, =, at, of|到, 为, 成, 设为, 设成, 改成, 改为, 设置为, 调到, 调成, 降到, 提高到, 降低到, 增加到, 减少到, 变成',
  by: 'by|',
  off: 'no, not, without, dont, doesnt, off, disable*, remove*, none, never, turn off, switch off, do not, get rid of, skip, isnt, zero out, dont need, dont want, do not want, do not need|不要, 不用, 没有, 不需要, 无, 关闭, 关掉, 取消, 去掉, 去除, 别, 不加, 不, 禁用, 不想要, 不必',
  on: 'on, enable*, use, with, activate*, turn on, switch on, add a, add an, add some, give it, put|打开, 开启, 启用, 使用, 用, 添加, 加上, 要',
  what: 'what, whats, which, how many, how much, how high, how hot, how thick, how fast, tell me, show me, how wide, how dense, value of, current|多少, 什么, 几, 哪, 是多少, 当前, 多高, 多厚, 多快, 查看, 告诉我',
  should: 'should, recommend*, suggest*, best, advise|应该, 推荐, 建议, 最好',
  whether: '|吗, 是否, 会不会',
  why: 'why, how come, reason, explain why, what for|为什么, 为何, 为啥, 原因, 怎么会',
  undo: 'undo, revert, take that back, take it back, roll back, go back, change it back, put it back, undo that, back to before|撤销, 撤回, 还原, 恢复, 改回去, 改回来, 回退, 取消刚才, 取消上一步',
  double: 'double, twice|加倍, 翻倍, 两倍',
  half: 'half, halve|减半, 一半',
  plate:
    'analy* the plate, analy* my model, analy* the model, check the plate, check my model, check the model, look at my model, need support*, needs support*, analyze, analyse|分析, 检查模型, 检查打印板, 看看模型, 需要支撑吗, 要不要支撑, 需不需要支撑',
  help: 'help, what can you do, hello, hi, hey, thanks, thank you|帮助, 你能做什么, 你好, 您好, 谢谢',
  sep: 'and, but, then, also, plus, however, while|和, 并, 并且, 而且, 但, 但是, 然后, 同时, 还有, 以及, 又',
}

/** Says nothing by itself. */
export const FILLERS: ReadonlySet<string> = new Set([
  ...`please i im id we want wants wanted to make makes making it its the a an my this that these those need needs print prints printing printed printer
  model models part parts can could you would like should be being is are was for me so very really get gets have has had with of in on at set use using try
  much bit little more some any all just only from as if when do does did will shall let lets give put now here there thing things still too again ok okay
  how there or good better keep keeps since because`.split(/\s{1,9}/),
  ...Array.from(
    '一请我想要把的了打印模型这个那能让它他帮做吧一下设置为成是一些件我们零有没可以给用就都再更好很会在也太呢啊吗点能够希望需要',
  ),
])

interface Phrase {
  readonly tokens: readonly Token[]
  readonly meaning: Meaning
  /** Of two as long the one that names something is meant. */
  readonly isGrammar: boolean
}

/** By their first word, and those that begin with a part of one. */
const phrases = once(() => {
  const all = readPhrases()
  const whole = all.filter(({ tokens }) => !tokens[0]?.isPrefix)
  return {
    byFirst: Map.groupBy(whole, ({ tokens }) => tokens[0]?.text ?? ''),
    byPrefix: all.filter(({ tokens }) => tokens[0]?.isPrefix),
  }
})

function readPhrases(): Phrase[] {
  const all: Phrase[] = []
  const add = (words: readonly string[], meaning: Meaning, isGrammar = false) => {
    for (const word of words) {
      const tokens = tokensOf(word)
      if (tokens.length > 0) all.push({ tokens, meaning, isGrammar })
    }
  }
  for (const { id, en, zh, name } of table().rules)
    add([...en, ...zh, name.en, name.zh], { kind: 'rule', id })
  for (const [key, { en, zh, values = {} }] of Object.entries(table().settings)) {
    add([...en, ...zh, key], { kind: 'setting', key })
    for (const [value, words] of Object.entries(values))
      add([...words.en, ...words.zh], { kind: 'value', key, value })
  }
  for (const [name, { en, zh }] of Object.entries(table().intents))
    add([...en, ...zh], { kind: 'intent', name })
  for (const [name, { words }] of Object.entries(table().materials)) add(words, { kind: 'material', name })
  for (const [at, { en, zh }] of table().notifications.entries()) add([...en, ...zh], { kind: 'said', at })
  for (const kind of KINDS)
    add(
      GRAMMAR[kind].split(/[,|]/).map((word) => word.trim()),
      { kind },
      true,
    )
  return all
}

/** A part of a sentence with its meaning; a number that none has is one of its own. */
export type Mark = (
  | Meaning
  | { readonly kind: 'number'; readonly token: Token }
  | { readonly kind: 'word' }
) & {
  readonly from: number
  readonly to: number
  readonly text: string
}

const fits = (want: Token, said: Token | undefined) =>
  said !== undefined && (want.isPrefix ? said.text.startsWith(want.text) : said.text === want.text)

/** The whole text as marks, in order: of what overlaps the longest. `kinds` leaves out meanings that are not looked for. */
export function marksOf(text: string, isWanted: (meaning: Meaning) => boolean = () => true): Mark[] {
  const tokens = tokensOf(text)
  const { byFirst, byPrefix } = phrases()
  const found: { from: number; to: number; phrase: Phrase }[] = []
  for (const [from, token] of tokens.entries()) {
    if (token.isEnd) continue
    for (const phrase of [...(byFirst.get(token.text) ?? []), ...byPrefix]) {
      const isHere =
        isWanted(phrase.meaning) && phrase.tokens.every((want, i) => fits(want, tokens[from + i]))
      if (isHere) found.push({ from, to: from + phrase.tokens.length, phrase })
    }
  }
  const weight = ({ phrase }: { phrase: Phrase }) =>
    phrase.tokens.length * 100 -
    (phrase.isGrammar ? 50 : 0) +
    Math.min(
      40,
      phrase.tokens.reduce((sum, { text: word }) => sum + word.length, 0),
    )
  found.sort((a, b) => weight(b) - weight(a) || a.from - b.from)
  const taken = new Set<number>()
  const marks: Mark[] = []
  const textOf = (from: number, to: number) =>
    tokens
      .slice(from, to)
      .map((one) => one.text)
      .join(' ')
  for (const { from, to, phrase } of found) {
    const span = Array.from({ length: to - from }, (_, i) => from + i)
    if (span.some((at) => taken.has(at))) continue
    for (const at of span) taken.add(at)
    marks.push({ ...phrase.meaning, from, to, text: textOf(from, to) })
  }
  for (const [from, token] of tokens.entries()) {
    if (taken.has(from)) continue
    const place = { from, to: from + 1, text: token.text }
    if (token.isEnd) marks.push({ kind: 'sep', ...place })
    else if (token.number !== undefined) marks.push({ kind: 'number', token, ...place })
    else marks.push({ kind: 'word', ...place })
  }
  return marks.toSorted((a, b) => a.from - b.from)
}

/** The parts of a sentence that stand for themselves. */
export function clausesOf(marks: readonly Mark[]): Mark[][] {
  const clauses: Mark[][] = [[]]
  for (const mark of marks) {
    if (mark.kind === 'sep') clauses.push([])
    else clauses.at(-1)?.push(mark)
  }
  return clauses.filter((clause) => clause.length > 0)
}
