import { expect, it } from 'vitest'
import { labelsOf, seenIn, toggled } from './labels.ts'

it('ticks and unticks labels; those that say there is no issue stand alone', () => {
  expect(toggled([], 'gaps')).toEqual(['gaps'])
  expect(toggled(['gaps'], 'bubbling')).toEqual(['gaps', 'bubbling'])
  expect(toggled(['gaps', 'bubbling'], 'gaps')).toEqual(['bubbling'])
  expect(toggled(['gaps', 'bubbling'], 'noIssues')).toEqual(['noIssues'])
  expect(toggled(['noIssues'], 'notANozzleCam')).toEqual(['notANozzleCam'])
  expect(toggled(['notANozzleCam'], 'other')).toEqual(['other'])
})

it('reads answers apart from what the model saw, and passes over names that it does not know', () => {
  expect(labelsOf({ answer: null })).toEqual([])
  expect(labelsOf({ answer: 'gaps|later|other' })).toEqual(['gaps', 'other'])
  expect(seenIn({ labels: '' })).toEqual([])
  expect(seenIn({ labels: 'noIssues' })).toEqual(['noIssues'])
})
