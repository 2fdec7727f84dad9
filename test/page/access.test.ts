import { expect, test } from 'vitest'
import { entry, event, inBrowser, open } from './in-browser.ts'

const users = '--memory --user boss:secret --user reader:secret:subscriber'
const draft = event('Esborrany', { status: 'draft' })

inBrowser('who may see what', () => {
  test('a server without users shows a visitor what is public, and the rest to an editor: marked, with a filter by status', async () => {
    const { page, create, go } = await open('/?view=list')
    await create('events', event('Concert'))
    await create('events', draft)
    await create('events', event('Privat', { status: 'private' }))
    await create('events', event('Amagat', { hide_from_listings: true }))
    await go()
    await entry(page, 'Concert').waitFor()
    expect([await page.locator('.ec-event').count(), await page.getByLabel('Estat').count()]).toEqual([1, 0])
    expect(await page.getByText('Inicia la sessió').count()).toBe(0)
    await page.getByText('Per a editors').click()
    await page.getByText('Veieu el que veu el públic.').waitFor()
    await page.getByRole('button', { name: 'Mostra els esborranys i els esdeveniments privats' }).click()
    await entry(page, 'Privat (privat)').and(page.locator('.not-public')).waitFor()
    await entry(page, 'Amagat').waitFor()
    // It stays so in this tab.
    await page.reload()
    await entry(page, 'Esborrany (esborrany)').waitFor()
    await page.getByLabel('Estat').selectOption({ label: 'esborrany' })
    await entry(page, 'Concert').waitFor({ state: 'detached' })
    await entry(page, 'Esborrany').click()
    await page.getByText('esborrany · el públic no el veu').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Per a editors').click()
    await page.getByRole('button', { name: 'Mostra el que veu el públic' }).click()
    await entry(page, 'Concert').waitFor()
    expect(await page.locator('.ec-event').count()).toBe(1)
  })

  test('a link to drafts shows them where everybody may see them', async () => {
    const { page, create, go } = await open('/?status=draft')
    await create('events', event('Concert'))
    await create('events', draft)
    await go()
    await entry(page, 'Esborrany').waitFor()
    expect(await page.locator('.ec-event').count()).toBe(1)
    expect(await page.getByLabel('Estat').inputValue()).toBe('draft')
  })

  test('who signs in sees drafts until they sign out; the password is kept nowhere', async () => {
    const { page, go, url, wrong } = await open('/', users)
    await fetch(`${url}/calendar/events/v1/events`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('boss:secret')}`, 'content-type': 'application/json' },
      body: JSON.stringify(draft),
    })
    await go()
    await page.locator('summary', { hasText: 'Inicia la sessió' }).click()
    expect(await page.getByLabel('Estat').count()).toBe(0)
    const signIn = async (user: string, password: string) => {
      await page.getByLabel('Nom d’usuari').fill(user)
      await page.getByLabel('Contrasenya').fill(password)
      await page.keyboard.press('Enter')
    }
    await signIn('boss', 'wrong')
    await page.getByRole('alert').getByText('El nom d’usuari o la contrasenya no són correctes.').waitFor()
    expect(wrong).toEqual([expect.stringContaining('401')])
    await signIn('boss', 'secret')
    await entry(page, 'Esborrany').waitFor()
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])')).toBe('[{},{},""]')
    expect(await page.content()).not.toContain('secret')
    await page.getByText('Sessió de boss').click()
    await page.getByText('També veieu esborranys').waitFor()
    await page.getByRole('button', { name: 'Tanca la sessió' }).click()
    await entry(page, 'Esborrany').waitFor({ state: 'detached' })
  })

  test('a reader without rights is told what they see', async () => {
    const { page, go } = await open('/?lang=en', users)
    await go()
    await page.locator('summary', { hasText: 'Sign in' }).click()
    await page.getByLabel('User name').fill('reader')
    await page.getByLabel('Application password').fill('secret')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Signed in as reader').click()
    await page.getByText('You see what the public sees.').waitFor()
    expect(await page.getByLabel('Status').count()).toBe(0)
  })

  test('where nobody can sign in, nothing asks for it', async () => {
    const { page, go } = await open('/?lang=en', '--memory --quirks')
    await go()
    await page.getByLabel('Search').waitFor()
    expect([await page.getByText('Sign in').count(), await page.getByLabel('Status').count()]).toEqual([0, 0])
  })
})
