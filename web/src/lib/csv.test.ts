import { expect, it } from 'vitest'
import { csvOf } from './csv.ts'

it('a table for spreadsheets is quoted where it has to be, and calculates nothing', () => {
  expect(
    csvOf([
      ['a', 'b, "c"', 'd\ne'],
      [1.5, -2, Number.NaN],
      ['=1+1', '+1', '-1'],
      ['@SUM(A1)', ' =cmd|x', '\t=1'],
      ['plain - text', '2026-01-26', ''],
    ]),
  ).toBe(
    '\ufeff' +
      'a,"b, ""c""","d\ne"\r\n' +
      '1.5,-2,\r\n' +
      "'=1+1,'+1,'-1\r\n" +
      "'@SUM(A1),' =cmd|x,\"'\t=1\"\r\n" +
      'plain - text,2026-01-26,\r\n',
  )
})
