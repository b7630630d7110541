import { afterAll, beforeAll, expect, it } from 'vitest'
import { aUser, buildTestApp, call, type TestApp } from '../../../test/app.ts'
import { insertChat } from './chats.queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

it('a list of chats is no longer than 20 MB, however long they are: the newest are in it', async () => {
  const [owner, stranger] = [await aUser(app), await aUser(app)]
  const ids: number[] = []
  for (let i = 0; i < 25; i++) {
    const text = 'x'.repeat(500_000)
    const { id } = await insertChat(
      app.ctx.db,
      owner.id,
      { messages: text, slicingSettingsJson: text },
      new Date(),
    )
    ids.unshift(id)
  }
  const { json } = await call(app, 'GET', '/jusprin/api/chats/', { token: owner.token })
  expect(json.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 20))
  expect((await call(app, 'GET', '/jusprin/api/chats/', { token: stranger.token })).json).toEqual([])
})
