import { afterAll, beforeAll, expect, it } from 'vitest'
import { aUser, buildTestApp, call, type TestApp } from '../../../test/app.ts'
import { insertChat } from './chats.queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

it('a list of chats is no longer than 4 MB, however long they are: the newest are in it, and one that is longer by itself', async () => {
  const [owner, stranger] = [await aUser(app), await aUser(app)]
  const ids: number[] = []
  const insert = async (length: number) => {
    const text = 'x'.repeat(length)
    const values = { messages: text, slicingSettingsJson: text }
    return (await insertChat(app.ctx.db, owner.id, values, new Date())).id
  }
  for (let i = 0; i < 6; i++) ids.unshift(await insert(500_000))
  const { json } = await call(app, 'GET', '/jusprin/api/chats/', { token: owner.token })
  expect(json.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 4))
  const long = await insert(3_000_000)
  const again = await call(app, 'GET', '/jusprin/api/chats/', { token: owner.token })
  expect(again.json.map(({ id }: { id: number }) => id)).toEqual([long])
  expect((await call(app, 'GET', '/jusprin/api/chats/', { token: stranger.token })).json).toEqual([])
})
