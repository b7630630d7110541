import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { USER } from './printers.ts'

/**
 * An app asks for the way to a printer's own page and is let in by its owner, who chooses among printers, and then reaches it; nobody
 * does without its password, nor when it is shut out again. `app` is the origin of the owner's page.
 */
export async function letsAnAppIn(page: Page, app: string, printer: string, version: RegExp): Promise<void> {
  await page.goto(`${app}/tunnels/new/?app=OctoApp&platform=octoprint`)
  await page.getByRole('radio', { name: new RegExp(printer) }).check()
  await page.getByRole('button', { name: 'Authorize' }).click()
  await page.waitForURL(/\/tunnels\/succeeded\/\?tunnel_endpoint=http:\/\/[0-9a-f]{64}:[0-9a-f]{64}@/)
  await page.getByRole('heading', { name: 'Authorization Successful' }).waitFor()

  const endpoint = new URL(page.url().split('tunnel_endpoint=')[1] ?? '')
  const authorization = `Basic ${btoa(`${endpoint.username}:${endpoint.password}`)}`
  const ask = (own: Record<string, string>) =>
    fetch(new URL('/api/version', endpoint.origin), { headers: { ...own, 'x-api-key': USER.apiKey } })
  const answer = await ask({ authorization })
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(version)])
  expect((await ask({})).status).toBe(401)
  await page.evaluate(async () => {
    for (const { id } of (await (await fetch('/api/v1/tunnels/')).json()) as { id: number }[])
      await fetch(`/api/v1/tunnels/${id}/`, {
        method: 'DELETE',
        headers: { 'X-Requested-With': 'XMLHttpRequest' },
      })
  })
  expect((await ask({ authorization })).status).toBe(401)
}
