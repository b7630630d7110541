import { expect, it } from 'vitest'
import { shareOf } from './share.service.ts'

const print = { printTime: 2863.4, watchedSeconds: 2551.2 }

it('names how much was watched, and why the rest was not, most of it first', () => {
  const share = shareOf(print, [
    { code: 'agent_lost', seconds: 30 },
    { code: 'picture_dark', seconds: 280 },
    { code: 'no_picture', seconds: 8 },
  ])
  expect(share).toEqual({ seconds: 2551, of: 2863, unseen: ['picture_dark', 'agent_lost'] })
})

it('names what little there is where it is all', () => {
  const nothing = shareOf({ printTime: 12, watchedSeconds: 0 }, [{ code: 'disabled', seconds: 12 }])
  expect(nothing).toEqual({ seconds: 0, of: 12, unseen: ['disabled'] })
})

it('claims no more than was printed, and nothing of what nobody knows', () => {
  expect(shareOf({ ...print, watchedSeconds: 3000 }, [{ code: 'muted', seconds: 90 }])).toEqual({
    seconds: 2863,
    of: 2863,
    unseen: [],
  })
  expect(shareOf({ ...print, printTime: null }, [])).toBeNull()
})
