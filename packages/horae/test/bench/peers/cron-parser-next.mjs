import { CronExpressionParser } from 'cron-parser';

const expression = CronExpressionParser.parse('0 9 * * 1-5', { tz: 'Europe/Berlin' });
for (let i = 0; i < 5; i++) console.log(expression.next().toISOString());
