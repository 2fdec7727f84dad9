import type { App } from '../../app.ts'
import { levelOf, limitsOf, rulesNamed } from '../../lint/rule-settings.ts'
import { rules } from '../../lint/rules.ts'
import { ruleShape } from '../shared/output-forms.ts'
import { type CheckOptions, settingsOf } from './lint-options.ts'

/** Prints the rules as they are set here. */
export async function listRules(app: App, { only }: CheckOptions): Promise<void> {
  const settings = settingsOf(app)
  const rows = (only ? rulesNamed(only, rules) : rules).map(rule => ({
    rule: rule.id,
    severity: levelOf(rule, settings),
    finds: rule.finds,
    why: rule.why,
    remedy: rule.remedy,
    resources: rule.resources,
    thresholds: limitsOf(rule, settings),
    fixes: rule.fixes === true,
    online: rule.online === true,
  }))
  if (app.output !== undefined || app.globals.fields) return app.print(ruleShape, rows)
  await app.page(async stdout => {
    for (const { rule, severity, finds, why, remedy, thresholds } of rows) {
      const values = Object.entries(thresholds).map(([name, value]) => ` ${name} ${value}`)
      await stdout.write(`${rule} (${severity}${values.length > 0 ? `;${values.join(',')}` : ''})\n`)
      await stdout.write(`  Finds: ${finds}\n  Why: ${why}\n  Remedy: ${remedy}\n`)
    }
  })
}
