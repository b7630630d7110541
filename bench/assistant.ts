import { sendMessage } from '@vigil/contract/assistant/answers.ts'
import { advise } from '../server/modules/assistant/advisor/advise.ts'
import { goldens, tried } from '../server/modules/assistant/advisor/golden.fixture.ts'
import { situationOf } from '../server/modules/assistant/advisor/situation.ts'
import { onePlate, slicer } from '../server/modules/assistant/advisor/slicer.fixture.ts'
import type { Benchmark } from './lib/benchmark.ts'
import { median } from './lib/numbers.ts'

const RUNS = 5
/** As a slicer sends them: every visible process preset with all its settings. */
const [PRESETS, SETTINGS] = [40, 250]

function bodyOf(content: string): string {
  const more = Object.fromEntries(
    Array.from({ length: SETTINGS }, (_, i) => [`some_setting_of_orca_${i}`, String(i)]),
  )
  const profiles = slicer()
  const [first] = profiles.print_process_presets
  const others = Array.from({ length: PRESETS }, (_, i) => ({ ...first, name: `process ${i}` }))
  const presets = [...profiles.print_process_presets, ...others]
  const all = presets.map((preset) => ({ ...preset, config: { ...more, ...preset.config } }))
  return JSON.stringify({
    messages: [{ role: 'user', content }],
    slicing_profiles: { ...profiles, print_process_presets: all },
    plates: onePlate({ overhang: 1, area_total: 900 }),
  })
}

const answers: Benchmark = {
  name: 'assistant',
  conditions:
    `The 120 conversations of server/modules/assistant/advisor/golden.txt, ${RUNS} times: each message from the bytes of its body, with ${PRESETS} more process presets of ` +
    `${SETTINGS} settings each, to the answer of the rules, in one process; of each the median, in time of the processor, as the machine may be busy. "Right" is what was expected in writing before it was tried.`,
  run(say) {
    const bytes = bodyOf('').length
    say(`a body has ${Math.round(bytes / 1000)} kB`)
    const each = goldens.map(({ turns, language }) => {
      const text = bodyOf(turns.at(-1) ?? '')
      return median(
        Array.from({ length: RUNS }, () => {
          const began = process.cpuUsage()
          const body = sendMessage.body.parse(JSON.parse(text))
          const situation = situationOf(body.slicing_profiles, body.plates)
          advise({ messages: body.messages, situation, language })
          const { user, system } = process.cpuUsage(began)
          return (user + system) / 1000
        }),
      )
    })
    const judged = goldens.map(tried)
    return Promise.resolve([
      {
        what: 'slowest answer of the rules',
        unit: 'ms',
        values: [Math.max(...each)],
        aim: { below: 50 },
      },
      { what: 'usual answer of the rules', unit: 'ms', values: [median(each)] },
      {
        what: 'conversations that are right',
        unit: '',
        values: [judged.filter(({ wrong }) => wrong.length === 0).length],
        aim: { above: 100 },
      },
      {
        what: 'conversations that do harm',
        unit: '',
        values: [judged.filter(({ harmful }) => harmful.length > 0).length],
        aim: { below: 1 },
      },
    ])
  },
}

export const benchmarks: readonly Benchmark[] = [answers]
