import { useQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import {
  changeSetting,
  createSetting,
  deleteSetting,
  FEATURES,
  listSettings,
  type NotificationSetting,
} from '@vigil/contract/tell/notifications.ts'
import { expect, test, vi } from 'vitest'
import texts from '../../../../../locales/en/tell/notifications.json'
import { answers, aServer, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { ChannelFields } from './ChannelFields.tsx'
import { CHANNELS, type ChannelForm } from './channels.ts'
import { settingsQuery } from './notifications.api.ts'

const FORMS = CHANNELS.filter(({ fields }) => fields.length > 0)
const words: Readonly<Record<string, Readonly<Record<string, string>>>> = texts.channel

/** What the server keeps of a channel that was written. */
function kept(body: unknown): NotificationSetting {
  const at = new Date().toISOString()
  const on = Object.fromEntries(FEATURES.map((feature) => [feature, true])) as Record<
    (typeof FEATURES)[number],
    boolean
  >
  const { name, config } = body as Pick<NotificationSetting, 'name' | 'config'>
  return { id: 7, created_at: at, updated_at: at, name, config, enabled: true, ...on }
}

/** The fields as their page has them: of the channel that is kept. */
function Kept({ form }: { form: ChannelForm }) {
  const { data } = useQuery(settingsQuery)
  return <ChannelFields form={form} setting={data?.find(({ name }) => name === form.name)} />
}

test.each(FORMS)(
  '$name is set up by what is written: half of it says nothing, a refusal stands there, emptied it is gone',
  async (form) => {
    const complained = vi.spyOn(console, 'error')
    const [first] = form.fields
    const server = aServer(
      answers(listSettings, []),
      refuses(createSetting, 400, { config: { [first!.key]: ['Not so.'] } }),
    )
    const { user } = await show(<Kept form={form} />)
    const field = (key: string) => screen.getByLabelText(words[form.name]![key]!)
    // At once: what is typed slowly is saved half-way.
    const write = async (key: string, text: string) => {
      await user.click(field(key))
      await user.paste(text)
      await user.tab()
    }
    const required = form.fields.filter(({ isOptional }) => !isOptional).map(({ key }) => key)
    const last = required.at(-1)!
    for (const key of required) {
      expect(server.written()).toEqual([])
      await write(key, key)
    }
    expect(await screen.findByRole('alert')).toHaveTextContent('Not so.')
    // Beside the field that it is of, and beside no other
    expect(field(first!.key)).toHaveAccessibleErrorMessage(expect.stringContaining('Not so.'))
    const wrong = form.fields.filter(({ key }) => field(key).getAttribute('aria-invalid') === 'true')
    expect(wrong).toEqual([first])

    server.now(
      answers(createSetting, ({ body }) => kept(body)),
      answers(changeSetting, ({ body }) => kept(body)),
      answers(deleteSetting, null),
    )
    await write(last, ', mended')
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
    const config = Object.fromEntries(
      form.fields.map(({ key, isOptional }) => [
        key,
        isOptional ? '' : key === last ? `${key}, mended` : key,
      ]),
    )
    expect(server.written()).toMatchObject([
      { method: 'POST' },
      { method: 'POST', body: { name: form.name, config } },
    ])

    for (const key of required) {
      await user.clear(field(key))
      await user.tab()
    }
    await waitFor(() =>
      expect(server.written().at(-1)).toMatchObject({
        method: 'DELETE',
        path: expect.stringMatching(/\/7\/$/),
      }),
    )
    expect(complained).not.toHaveBeenCalled()
  },
)
