import type { AssistantMessage, ChatMessage, SettingChange } from '@vigil/contract/assistant/answers.ts'
import { settingChange } from '@vigil/contract/assistant/answers.ts'
import type { ChosenProfiles } from '@vigil/contract/assistant/presets.ts'
import { z } from 'zod'
import type { Language } from '../../../http/texts.ts'
import { carryOut, type Order, profilesOf } from './carry-out.ts'
import { nameOf, say, shown } from './say.ts'
import { otherOf, situationOf, type Situation, valueOf, wordOf } from './situation.ts'
import { settingOf } from './table.ts'

const explained = z.array(settingChange).max(500).catch([])

/** Changes of this chat that were not taken back, the last one last. */
function standing(messages: readonly ChatMessage[]): ChatMessage[] {
  const stack: ChatMessage[] = []
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    if (message.undo === true) stack.pop()
    else if (message.slicing_profiles && message.before) stack.push(message)
  }
  return stack
}

/** Takes the last change of this chat back. What it was before is checked like all else: the page has kept it, not we. */
export function undoOf(
  messages: readonly ChatMessage[],
  situation: Situation,
  language: Language,
): AssistantMessage {
  const before = standing(messages).at(-1)?.before
  if (!before) return { role: 'assistant', content: say(language, 'nothingToUndo'), mind: 'advisor' }
  const then = backTo(situation, before)
  return {
    role: 'assistant',
    content: say(language, 'undone'),
    mind: 'advisor',
    slicing_profiles: profilesOf(then),
    before: profilesOf(situation),
    changes: differences(situation, then, language),
    undo: true,
  }
}

/** The presets as they are, with what stood over them then: each value within its limits. */
function backTo(situation: Situation, before: ChosenProfiles): Situation {
  const print =
    situation.prints.find(({ name }) => name === before.use_print_process_preset) ?? situation.print
  const bare = situationOf(
    {
      printer_presets: [],
      filament_presets: [],
      print_process_presets: [],
      filament_overrides: before.filament_overrides,
      print_process_overrides: before.print_process_overrides,
    },
    [],
  )
  const empty: Situation = {
    ...situation,
    print,
    filamentOverrides: new Map(),
    printOverrides: new Map(),
    others: bare.others,
  }
  const orders = [...bare.filamentOverrides, ...bare.printOverrides].map(([key, value]): Order => ({
    key,
    op: '=',
    value,
    reason: '',
    source: null,
    isExplicit: false,
  }))
  return carryOut(empty, { preset: null, orders, isBack: true }).state
}

function differences(from: Situation, to: Situation, language: Language): SettingChange[] {
  const keys = new Set(
    [...from.filamentOverrides, ...from.printOverrides, ...to.filamentOverrides, ...to.printOverrides].map(
      ([key]) => key,
    ),
  )
  const reason = say(language, 'undone')
  const rest = { reason, source: null, limited: null }
  const preset: SettingChange[] =
    from.print?.name === to.print?.name
      ? []
      : [
          {
            of: 'print',
            parameter: 'print_process_preset',
            label: say(language, 'preset'),
            before: from.print?.name ?? null,
            after: to.print?.name ?? '',
            ...rest,
          },
        ]
  const otherDifferences = (of: 'filament' | 'print') =>
    Object.keys({ ...from.others[of], ...to.others[of] }).flatMap((key): SettingChange[] => {
      const [before, after] = [otherOf(from, of, key), otherOf(to, of, key)]
      if (before === after) return []
      return [{ of, parameter: key, label: key, before, after: after ?? '', ...rest }]
    })
  const made = [...keys].flatMap((key): SettingChange[] => {
    const [before, after] = [valueOf(from, key), valueOf(to, key)]
    if (before === after) return []
    return [
      {
        of: settingOf(key)?.of ?? 'print',
        parameter: key,
        label: nameOf(language, key),
        before: before === null ? null : shown(language, key, before),
        after: after === null ? '' : shown(language, key, after),
        ...rest,
      },
    ]
  })
  return [...preset, ...made, ...(['filament', 'print'] as const).flatMap(otherDifferences)]
}

/** Why the last change was made; of one setting, or of all. */
export function whyOf(
  messages: readonly ChatMessage[],
  key: string | null,
  language: Language,
): AssistantMessage {
  const plain = (content: string): AssistantMessage => ({ role: 'assistant', content, mind: 'advisor' })
  const last = standing(messages).at(-1)
  const changes = explained.parse(last?.['changes'])
  if (changes.length === 0) return plain(say(language, 'whyNothing'))
  const asked = key === null ? changes : changes.filter(({ parameter }) => parameter === key)
  if (asked.length === 0) return plain(say(language, 'whyNotThis', { name: nameOf(language, key ?? '') }))
  const words = asked.map(({ label, before, after, reason, limited, source }) => {
    const values = before === null || before === '' ? after : `${before} → ${after}`
    const why = [reason, limited, source === null ? null : say(language, 'whySource', { source })]
    return say(language, 'why', {
      name: `${label} (${wordOf(values) ?? ''})`,
      reason: why.filter((one) => one !== null).join(' '),
    })
  })
  return plain(words.join('\n'))
}
