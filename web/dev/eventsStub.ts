import type { PrinterEvent } from '@vigil/contract/events.ts'
import type { Page } from 'playwright-core'
import type { World } from './stub.ts'
import { ago } from './time.ts'

const LONG = 'a_very_long_file_name_that_does_not_fit_on_any_card_0.2mm_PETG_MK4_final_final2.gcode'

const event = (id: number, more: Partial<PrinterEvent>): PrinterEvent => ({
  id,
  print: null,
  printer: 1,
  event_type: 'STARTED',
  event_class: 'INFO',
  event_title: 'Print job started',
  event_text: 'Voron 2.4 started printing bracket_left_v3.gcode.',
  image_url: null,
  info_url: null,
  created_at: ago(id * 4_000),
  ...more,
})

const SOME = [
  event(1, {
    event_type: 'FAILURE_ALERTED',
    event_class: 'ERROR',
    event_title: 'Possible failure detected, print paused',
    event_text:
      'vase_spiral.gcode on Prusa in the cellar seems to be failing. The printer was told to pause.',
    image_url: '/media/failing.svg',
  }),
  event(2, {
    event_type: 'PRINTER_ERROR',
    event_class: 'WARNING',
    event_title: 'moonraker-obico: Webcam Streaming Failed',
    event_text:
      'The webcam can <b>not</b> be <i>streamed</i>.<br>See the <a href="https://example.org/help">guide</a>.',
    info_url: 'https://example.org/help',
  }),
  event(3, {
    event_type: 'ENDED',
    event_class: 'SUCCESS',
    event_title: 'Print job finished',
    event_text: `Bambu by the window finished ${LONG}.`,
    image_url: '/media/good.svg',
  }),
  event(4, {}),
  event(5, {
    event_type: 'PRINTER_ERROR',
    event_class: 'ERROR',
    event_title: null,
    event_text: '!! Lost communication with MCU &#39;mcu&#39;&lt;script&gt;',
  }),
]

/** Answers the calls of the page of events, or null. */
export function answerEvents(world: World, path: string): { status: number; body: unknown } | null {
  if (path === '/api/v1/printer_events/mark_seen/') return { status: 200, body: { unseen_printer_events: 0 } }
  if (path !== '/api/v1/printer_events/') return null
  if (world.broken) return { status: world.broken, body: { detail: 'Service unavailable' } }
  return { status: 200, body: world.uneventful ? [] : SOME }
}

export const eventShots = [
  { name: 'events', path: 'printer_events/' },
  { name: 'events-empty', path: 'printer_events/', world: { uneventful: true } },
  {
    name: 'events-failed',
    path: 'printer_events/',
    world: { broken: 503 },
    act: (page: Page) => page.getByRole('alert').waitFor({ timeout: 9000 }),
  },
  {
    name: 'events-filter',
    path: 'printer_events/',
    act: async (page: Page) => {
      await page.getByRole('button', { name: /^(Filter|筛选)/ }).click()
      await page.getByRole('menuitemcheckbox').nth(2).click()
      if (process.env['PROBE'])
        console.log(
          await page.evaluate(() => [
            [...document.styleSheets].map((s) => s.href),
            getComputedStyle(document.querySelector('[data-menu-item]')!).padding,
            document.querySelector('[data-menu-item]')!.outerHTML,
          ]),
        )
    },
  },
]
