/**
 * What expressions are called in five languages, written by hand: dialect and text, then English, German, French, Spanish and
 * Chinese, one a line. A row is what a speaker of the language would say, and the function is to say the same.
 */
export const TABLE = `
posix * * * * *
Every minute
Jede Minute
Toutes les minutes
Cada minuto
每分钟

posix 0 * * * *
Every hour on the hour
Jede Stunde zur vollen Stunde
Toutes les heures pile
Cada hora en punto
每小时整点

posix 5 * * * *
Every hour at minute 5
Jede Stunde in Minute 5
Toutes les heures à la minute 5
Cada hora en el minuto 5
每小时的第5分

posix 5,20 * * * *
Every hour at minutes 5 and 20
Jede Stunde in Minute 5 und 20
Toutes les heures aux minutes 5 et 20
Cada hora en los minutos 5 y 20
每小时的第5和20分

posix 0-29 * * * *
Every hour at minutes 0 to 29
Jede Stunde in Minute 0 bis 29
Toutes les heures aux minutes 0 à 29
Cada hora en los minutos 0 a 29
每小时的第0至29分

vixie */5 * * * *
Every 5 minutes
Alle 5 Minuten
Toutes les 5 minutes
Cada 5 minutos
每5分钟

posix 0,15,30,45 * * * *
Every 15 minutes
Alle 15 Minuten
Toutes les 15 minutes
Cada 15 minutos
每15分钟

posix 0,30 * * * *
Every 30 minutes
Alle 30 Minuten
Toutes les 30 minutes
Cada 30 minutos
每30分钟

vixie */7 * * * *
Every hour at minutes 0 to 56 in steps of 7
Jede Stunde in Minute 0 bis 56 in Schritten von 7
Toutes les heures aux minutes 0 à 56 par pas de 7
Cada hora en los minutos 0 a 56 en pasos de 7
每小时的第0至56之间每隔7分

posix 0 0 * * *
At 00:00 every day
Um 00:00 Uhr jeden Tag
À 00:00 tous les jours
A las 00:00 todos los días
每天，00:00

posix 30 6 * * *
At 06:30 every day
Um 06:30 Uhr jeden Tag
À 06:30 tous les jours
A las 06:30 todos los días
每天，06:30

posix 0 1 * * *
At 01:00 every day
Um 01:00 Uhr jeden Tag
À 01:00 tous les jours
A la 01:00 todos los días
每天，01:00

posix 0 9,17 * * *
At 09:00 and 17:00 every day
Um 09:00 und 17:00 Uhr jeden Tag
À 09:00 et 17:00 tous les jours
A las 09:00 y 17:00 todos los días
每天，09:00和17:00

posix 0,30 8 * * *
At 08:00 and 08:30 every day
Um 08:00 und 08:30 Uhr jeden Tag
À 08:00 et 08:30 tous les jours
A las 08:00 y 08:30 todos los días
每天，08:00和08:30

vixie 0 */6 * * *
At 00:00, 06:00, 12:00 and 18:00 every day
Um 00:00, 06:00, 12:00 und 18:00 Uhr jeden Tag
À 00:00, 06:00, 12:00 et 18:00 tous les jours
A las 00:00, 06:00, 12:00 y 18:00 todos los días
每天，00:00、06:00、12:00和18:00

vixie 0 */2 * * *
Every 2 hours every day
Alle 2 Stunden jeden Tag
Toutes les 2 heures tous les jours
Cada 2 horas todos los días
每天，每2小时

posix 0 9-17 * * *
Every hour from 09:00 to 17:00 every day
Jede Stunde von 09:00 bis 17:00 Uhr jeden Tag
Toutes les heures de 09:00 à 17:00 tous les jours
Cada hora de 09:00 a 17:00 todos los días
每天，09:00至17:00每小时

posix 15 9-17 * * 1-5
Every hour from 09:15 to 17:15 from Monday to Friday
Jede Stunde von 09:15 bis 17:15 Uhr von Montag bis Freitag
Toutes les heures de 09:15 à 17:15 du lundi au vendredi
Cada hora de 09:15 a 17:15 de lunes a viernes
每星期一至星期五，09:15至17:15每小时

posix 0 9-11 * * *
At 09:00, 10:00 and 11:00 every day
Um 09:00, 10:00 und 11:00 Uhr jeden Tag
À 09:00, 10:00 et 11:00 tous les jours
A las 09:00, 10:00 y 11:00 todos los días
每天，09:00、10:00和11:00

posix * 9-17 * * *
Every minute from 09:00 to 17:59 every day
Jede Minute von 09:00 bis 17:59 Uhr jeden Tag
Toutes les minutes de 09:00 à 17:59 tous les jours
Cada minuto de 09:00 a 17:59 todos los días
每天，09:00至17:59每分钟

posix * 9 * * *
Every minute from 09:00 to 09:59 every day
Jede Minute von 09:00 bis 09:59 Uhr jeden Tag
Toutes les minutes de 09:00 à 09:59 tous les jours
Cada minuto de 09:00 a 09:59 todos los días
每天，09:00至09:59每分钟

vixie */15 9-17 * * mon-fri
Every 15 minutes from 09:00 to 17:45 from Monday to Friday
Alle 15 Minuten von 09:00 bis 17:45 Uhr von Montag bis Freitag
Toutes les 15 minutes de 09:00 à 17:45 du lundi au vendredi
Cada 15 minutos de 09:00 a 17:45 de lunes a viernes
每星期一至星期五，09:00至17:45每15分钟

posix * 8,12-14 * * *
Every minute from 08:00 to 08:59 and from 12:00 to 14:59 every day
Jede Minute von 08:00 bis 08:59 Uhr und von 12:00 bis 14:59 Uhr jeden Tag
Toutes les minutes de 08:00 à 08:59 et de 12:00 à 14:59 tous les jours
Cada minuto de 08:00 a 08:59 y de 12:00 a 14:59 todos los días
每天，08:00至08:59和12:00至14:59每分钟

posix 5,20 9-17 * * *
At minutes 5 and 20 of the hours 9 to 17 every day
In Minute 5 und 20 der Stunden 9 bis 17 jeden Tag
Aux minutes 5 et 20 des heures 9 à 17 tous les jours
En los minutos 5 y 20 de las horas 9 a 17 todos los días
每天，9至17点的第5和20分

posix 1,2,4,8,16,32,50 9 * * *
At minutes 1, 2, 4, 8, 16, 32 and 50 of hour 9 every day
In Minute 1, 2, 4, 8, 16, 32 und 50 der Stunde 9 jeden Tag
Aux minutes 1, 2, 4, 8, 16, 32 et 50 de l'heure 9 tous les jours
En los minutos 1, 2, 4, 8, 16, 32 y 50 de la hora 9 todos los días
每天，9点的第1、2、4、8、16、32和50分

posix 0 0,1,2,22,23 * * *
Every hour from 22:00 to 02:00 every day
Jede Stunde von 22:00 bis 02:00 Uhr jeden Tag
Toutes les heures de 22:00 à 02:00 tous les jours
Cada hora de 22:00 a 02:00 todos los días
每天，22:00至02:00每小时

quartz 0 * 22-2 * * ?
Every minute from 22:00 to 02:59 every day
Jede Minute von 22:00 bis 02:59 Uhr jeden Tag
Toutes les minutes de 22:00 à 02:59 tous les jours
Cada minuto de 22:00 a 02:59 todos los días
每天，22:00至02:59每分钟

posix 0 9 * * 1
At 09:00 on Mondays
Um 09:00 Uhr montags
À 09:00 le lundi
A las 09:00 los lunes
每星期一，09:00

posix 0 9 * * 1-5
At 09:00 from Monday to Friday
Um 09:00 Uhr von Montag bis Freitag
À 09:00 du lundi au vendredi
A las 09:00 de lunes a viernes
每星期一至星期五，09:00

posix 0 9 * * 1,5
At 09:00 on Mondays and Fridays
Um 09:00 Uhr montags und freitags
À 09:00 le lundi et le vendredi
A las 09:00 los lunes y los viernes
每星期一和星期五，09:00

posix 30 8,17 * * 0,6
At 08:30 and 17:30 on Saturdays and Sundays
Um 08:30 und 17:30 Uhr samstags und sonntags
À 08:30 et 17:30 le samedi et le dimanche
A las 08:30 y 17:30 los sábados y los domingos
每星期六和星期日，08:30和17:30

quartz 0 0 9 ? * FRI-MON
At 09:00 from Friday to Monday
Um 09:00 Uhr von Freitag bis Montag
À 09:00 du vendredi au lundi
A las 09:00 de viernes a lunes
每星期五至星期一，09:00

posix 0 9 * * 1,3-5
At 09:00 on Mondays and from Wednesday to Friday
Um 09:00 Uhr montags und von Mittwoch bis Freitag
À 09:00 le lundi et du mercredi au vendredi
A las 09:00 los lunes y de miércoles a viernes
每星期一和星期三至星期五，09:00

vixie 0 9 * * sun
At 09:00 on Sundays
Um 09:00 Uhr sonntags
À 09:00 le dimanche
A las 09:00 los domingos
每星期日，09:00

vixie @weekly
At 00:00 on Sundays
Um 00:00 Uhr sonntags
À 00:00 le dimanche
A las 00:00 los domingos
每星期日，00:00

posix * * * * 2
Every minute on Tuesdays
Jede Minute dienstags
Toutes les minutes le mardi
Cada minuto los martes
每星期二，每分钟

posix 0 * * * 3
Every hour on the hour on Wednesdays
Jede Stunde zur vollen Stunde mittwochs
Toutes les heures pile le mercredi
Cada hora en punto los miércoles
每星期三，每小时整点

posix 0 12 * * 4
At 12:00 on Thursdays
Um 12:00 Uhr donnerstags
À 12:00 le jeudi
A las 12:00 los jueves
每星期四，12:00

posix 0 0 1 * *
At 00:00 on the 1st of the month
Um 00:00 Uhr am 1. des Monats
À 00:00 le 1er du mois
A las 00:00 el día 1 del mes
每月1日，00:00

posix 0 0 1,15 * *
At 00:00 on the 1st and 15th of the month
Um 00:00 Uhr am 1. und 15. des Monats
À 00:00 le 1er et le 15 du mois
A las 00:00 los días 1 y 15 del mes
每月1日和15日，00:00

posix 0 0 1-5 * *
At 00:00 from the 1st to the 5th of the month
Um 00:00 Uhr vom 1. bis zum 5. des Monats
À 00:00 du 1er au 5 du mois
A las 00:00 del 1 al 5 del mes
每月1日至5日，00:00

posix 0 0 2-4,22,23 * *
At 00:00 on the 2nd to 4th, 22nd and 23rd of the month
Um 00:00 Uhr am 2. bis 4., 22. und 23. des Monats
À 00:00 du 2 au 4, le 22 et le 23 du mois
A las 00:00 los días 2 a 4, 22 y 23 del mes
每月2日至4日、22日和23日，00:00

posix 0 0 11,12,13 * *
At 00:00 from the 11th to the 13th of the month
Um 00:00 Uhr vom 11. bis zum 13. des Monats
À 00:00 du 11 au 13 du mois
A las 00:00 del 11 al 13 del mes
每月11日至13日，00:00

posix 0 0 31 * *
At 00:00 on the 31st of the month
Um 00:00 Uhr am 31. des Monats
À 00:00 le 31 du mois
A las 00:00 el día 31 del mes
每月31日，00:00

vixie 0 0 */2 * *
At 00:00 every 2 days from the 1st to the 31st of the month
Um 00:00 Uhr alle 2 Tage vom 1. bis zum 31. des Monats
À 00:00 tous les 2 jours du 1er au 31 du mois
A las 00:00 cada 2 días del 1 al 31 del mes
每月1日至31日之间每2天，00:00

vixie 0 0 */10 * *
At 00:00 on the 1st, 11th, 21st and 31st of the month
Um 00:00 Uhr am 1., 11., 21. und 31. des Monats
À 00:00 le 1er, le 11, le 21 et le 31 du mois
A las 00:00 los días 1, 11, 21 y 31 del mes
每月1日、11日、21日和31日，00:00

quartz 0 0 0 28-3 * ?
At 00:00 from the 28th to the 3rd of the month
Um 00:00 Uhr vom 28. bis zum 3. des Monats
À 00:00 du 28 au 3 du mois
A las 00:00 del 28 al 3 del mes
每月28日至3日，00:00

posix 0 0 1 1 *
At 00:00 on 1 January
Um 00:00 Uhr am 1. Januar
À 00:00 le 1er janvier
A las 00:00 el 1 de enero
每年1月1日，00:00

posix 0 12 14 2 *
At 12:00 on 14 February
Um 12:00 Uhr am 14. Februar
À 12:00 le 14 février
A las 12:00 el 14 de febrero
每年2月14日，12:00

posix 0 18 24 12 *
At 18:00 on 24 December
Um 18:00 Uhr am 24. Dezember
À 18:00 le 24 décembre
A las 18:00 el 24 de diciembre
每年12月24日，18:00

posix 0 0 29 2 *
At 00:00 on 29 February
Um 00:00 Uhr am 29. Februar
À 00:00 le 29 février
A las 00:00 el 29 de febrero
每年2月29日，00:00

posix 0 0 30 2 *
At 00:00 on 30 February (never, because no such date exists)
Um 00:00 Uhr am 30. Februar (nie, denn ein solches Datum gibt es nicht)
À 00:00 le 30 février (jamais, car cette date n'existe pas)
A las 00:00 el 30 de febrero (nunca, porque esa fecha no existe)
每年2月30日，00:00 (永远不会，因为没有这样的日期)

posix 0 0 1,15 1 *
At 00:00 on the 1st and 15th in January
Um 00:00 Uhr am 1. und 15. im Januar
À 00:00 le 1er et le 15 en janvier
A las 00:00 los días 1 y 15 en enero
每年1月1日和15日，00:00

posix 0 0 1 1,7 *
At 00:00 on the 1st in January and July
Um 00:00 Uhr am 1. im Januar und Juli
À 00:00 le 1er en janvier et en juillet
A las 00:00 el día 1 en enero y en julio
每年1月和7月1日，00:00

posix 0 0 1 6-8 *
At 00:00 on the 1st from June to August
Um 00:00 Uhr am 1. von Juni bis August
À 00:00 le 1er de juin à août
A las 00:00 el día 1 de junio a agosto
每年6月至8月1日，00:00

posix 0 0 * 6-8 *
At 00:00 from June to August
Um 00:00 Uhr von Juni bis August
À 00:00 de juin à août
A las 00:00 de junio a agosto
每年6月至8月，00:00

posix 0 0 * 4-10 *
At 00:00 from April to October
Um 00:00 Uhr von April bis Oktober
À 00:00 d'avril à octobre
A las 00:00 de abril a octubre
每年4月至10月，00:00

posix 0 0 * 1 *
At 00:00 in January
Um 00:00 Uhr im Januar
À 00:00 en janvier
A las 00:00 en enero
每年1月，00:00

vixie 0 0 * jan,jul *
At 00:00 in January and July
Um 00:00 Uhr im Januar und Juli
À 00:00 en janvier et en juillet
A las 00:00 en enero y en julio
每年1月和7月，00:00

vixie 0 0 1 */3 *
At 00:00 on the 1st in January, April, July and October
Um 00:00 Uhr am 1. im Januar, April, Juli und Oktober
À 00:00 le 1er en janvier, en avril, en juillet et en octobre
A las 00:00 el día 1 en enero, en abril, en julio y en octubre
每年1月、4月、7月和10月1日，00:00

quartz 0 0 0 ? NOV-FEB MON
At 00:00 on Mondays from November to February
Um 00:00 Uhr montags von November bis Februar
À 00:00 le lundi de novembre à février
A las 00:00 los lunes de noviembre a febrero
每年11月至2月每星期一，00:00

quartz 0 0 0 1 NOV-FEB ?
At 00:00 on the 1st from November to February
Um 00:00 Uhr am 1. von November bis Februar
À 00:00 le 1er de novembre à février
A las 00:00 el día 1 de noviembre a febrero
每年11月至2月1日，00:00

posix * * * 12 *
Every minute in December
Jede Minute im Dezember
Toutes les minutes en décembre
Cada minuto en diciembre
每年12月，每分钟

posix 0 9 * 1-3 1
At 09:00 on Mondays from January to March
Um 09:00 Uhr montags von Januar bis März
À 09:00 le lundi de janvier à mars
A las 09:00 los lunes de enero a marzo
每年1月至3月每星期一，09:00

posix 0 0 13 * 5
At 00:00 on the 13th of the month or on Fridays
Um 00:00 Uhr am 13. des Monats oder freitags
À 00:00 le 13 du mois ou le vendredi
A las 00:00 el día 13 del mes o los viernes
每月13日或每星期五，00:00

posix 0 0 1,15 * 1
At 00:00 on the 1st and 15th of the month or on Mondays
Um 00:00 Uhr am 1. und 15. des Monats oder montags
À 00:00 le 1er et le 15 du mois ou le lundi
A las 00:00 los días 1 y 15 del mes o los lunes
每月1日和15日或每星期一，00:00

posix 1 1 1 1 1
At 01:01 in January, on the 1st or on Mondays
Um 01:01 Uhr im Januar, am 1. oder montags
À 01:01 en janvier, le 1er ou le lundi
A la 01:01 en enero, el día 1 o los lunes
每年1月，1日或每星期一，01:01

posix 0 6 1-7 6-8 0
At 06:00 from June to August, from the 1st to the 7th or on Sundays
Um 06:00 Uhr von Juni bis August, vom 1. bis zum 7. oder sonntags
À 06:00 de juin à août, du 1er au 7 ou le dimanche
A las 06:00 de junio a agosto, del 1 al 7 o los domingos
每年6月至8月，1日至7日或每星期日，06:00

vixie 0 9 */2 * 1
At 09:00 every 2 days from the 1st to the 31st of the month, but only on Mondays
Um 09:00 Uhr alle 2 Tage vom 1. bis zum 31. des Monats, aber nur montags
À 09:00 tous les 2 jours du 1er au 31 du mois, mais seulement le lundi
A las 09:00 cada 2 días del 1 al 31 del mes, pero solo los lunes
每月1日至31日之间每2天，且仅限每星期一，09:00

vixie 0 9 1-7 * */7
At 09:00 from the 1st to the 7th of the month, but only on Sundays
Um 09:00 Uhr vom 1. bis zum 7. des Monats, aber nur sonntags
À 09:00 du 1er au 7 du mois, mais seulement le dimanche
A las 09:00 del 1 al 7 del mes, pero solo los domingos
每月1日至7日，且仅限每星期日，09:00

vixie 0 9 */100,15 3 mon-fri
At 09:00 in March, on the 1st and 15th, but only from Monday to Friday
Um 09:00 Uhr im März, am 1. und 15., aber nur von Montag bis Freitag
À 09:00 en mars, le 1er et le 15, mais seulement du lundi au vendredi
A las 09:00 en marzo, los días 1 y 15, pero solo de lunes a viernes
每年3月，1日和15日，且仅限每星期一至星期五，09:00

vixie @hourly
Every hour on the hour
Jede Stunde zur vollen Stunde
Toutes les heures pile
Cada hora en punto
每小时整点

vixie @daily
At 00:00 every day
Um 00:00 Uhr jeden Tag
À 00:00 tous les jours
A las 00:00 todos los días
每天，00:00

vixie @monthly
At 00:00 on the 1st of the month
Um 00:00 Uhr am 1. des Monats
À 00:00 le 1er du mois
A las 00:00 el día 1 del mes
每月1日，00:00

vixie @yearly
At 00:00 on 1 January
Um 00:00 Uhr am 1. Januar
À 00:00 le 1er janvier
A las 00:00 el 1 de enero
每年1月1日，00:00

quartz * * * * * ?
Every second
Jede Sekunde
Toutes les secondes
Cada segundo
每秒

quartz */10 * * * * ?
Every 10 seconds
Alle 10 Sekunden
Toutes les 10 secondes
Cada 10 segundos
每10秒

quartz 15 * * * * ?
At second 15 of every minute
In Sekunde 15 jeder Minute
À la seconde 15 de chaque minute
En el segundo 15 de cada minuto
每分钟第15秒

quartz 15,45 * * * * ?
At seconds 15 and 45 of every minute
In Sekunde 15 und 45 jeder Minute
Aux secondes 15 et 45 de chaque minute
En los segundos 15 y 45 de cada minuto
每分钟第15和45秒

quartz 0-9 * * * * ?
At seconds 0 to 9 of every minute
In Sekunde 0 bis 9 jeder Minute
Aux secondes 0 à 9 de chaque minute
En los segundos 0 a 9 de cada minuto
每分钟第0至9秒

quartz * 0 * * * ?
Every second of minute 0 of every hour
Jede Sekunde in Minute 0 jeder Stunde
Toutes les secondes de la minute 0 de chaque heure
Cada segundo del minuto 0 de cada hora
每小时的第0分每秒

quartz * 0,30 * * * ?
Every second of minutes 0 and 30 of every hour
Jede Sekunde in Minute 0 und 30 jeder Stunde
Toutes les secondes des minutes 0 et 30 de chaque heure
Cada segundo de los minutos 0 y 30 de cada hora
每小时的第0和30分每秒

quartz 30 5 * * * ?
At second 30 of minute 5 of every hour
In Sekunde 30 in Minute 5 jeder Stunde
À la seconde 30 de la minute 5 de chaque heure
En el segundo 30 del minuto 5 de cada hora
每小时的第5分第30秒

quartz */10 0 9 * * ?
Every 10 seconds of minute 0 of hour 9 every day
Alle 10 Sekunden in Minute 0 der Stunde 9 jeden Tag
Toutes les 10 secondes de la minute 0 de l'heure 9 tous les jours
Cada 10 segundos del minuto 0 de la hora 9 todos los días
每天，9点的第0分每10秒

quartz * * 9-17 * * ?
Every second of every minute of the hours 9 to 17 every day
Jede Sekunde jeder Minute der Stunden 9 bis 17 jeden Tag
Toutes les secondes de chaque minute des heures 9 à 17 tous les jours
Cada segundo de cada minuto de las horas 9 a 17 todos los días
每天，9至17点的每分钟每秒

quartz 30 0 9 * * ?
At 09:00:30 every day
Um 09:00:30 Uhr jeden Tag
À 09:00:30 tous les jours
A las 09:00:30 todos los días
每天，09:00:30

quartz 30 0 9,12 ? * MON
At 09:00:30 and 12:00:30 on Mondays
Um 09:00:30 und 12:00:30 Uhr montags
À 09:00:30 et 12:00:30 le lundi
A las 09:00:30 y 12:00:30 los lunes
每星期一，09:00:30和12:00:30

quartz 0 0 9 L * ?
At 09:00 on the last day of the month
Um 09:00 Uhr am letzten Tag des Monats
À 09:00 le dernier jour du mois
A las 09:00 el último día del mes
每月最后一天，09:00

quartz 0 0 9 LW * ?
At 09:00 on the last working day of the month
Um 09:00 Uhr am letzten Arbeitstag des Monats
À 09:00 le dernier jour ouvré du mois
A las 09:00 el último día laborable del mes
每月最后一个工作日，09:00

quartz 0 0 9 1W * ?
At 09:00 on the first working day of the month
Um 09:00 Uhr am ersten Arbeitstag des Monats
À 09:00 le premier jour ouvré du mois
A las 09:00 el primer día laborable del mes
每月第一个工作日，09:00

quartz 0 0 9 15W * ?
At 09:00 on the working day nearest to the 15th of the month
Um 09:00 Uhr am Arbeitstag, der dem 15. des Monats am nächsten liegt
À 09:00 le jour ouvré le plus proche du 15 du mois
A las 09:00 el día laborable más cercano al 15 del mes
离每月15日最近的工作日，09:00

quartz 0 0 9 15W 6 ?
At 09:00 on the working day nearest to the 15th of the month in June
Um 09:00 Uhr am Arbeitstag, der dem 15. des Monats am nächsten liegt, im Juni
À 09:00 le jour ouvré le plus proche du 15 du mois en juin
A las 09:00 el día laborable más cercano al 15 del mes en junio
每年6月，离每月15日最近的工作日，09:00

quartz 0 0 9 L-3 * ?
At 09:00 3 days before the last day of the month
Um 09:00 Uhr 3 Tage vor dem letzten Tag des Monats
À 09:00 3 jours avant le dernier jour du mois
A las 09:00 3 días antes del último día del mes
每月最后一天的前3天，09:00

quartz 0 0 9 L-1 * ?
At 09:00 1 day before the last day of the month
Um 09:00 Uhr einen Tag vor dem letzten Tag des Monats
À 09:00 1 jour avant le dernier jour du mois
A las 09:00 1 día antes del último día del mes
每月最后一天的前1天，09:00

quartz 0 0 9 L-3W * ?
At 09:00 on the working day nearest to 3 days before the last day of the month
Um 09:00 Uhr am Arbeitstag, der dem Tag 3 Tage vor dem letzten Tag des Monats am nächsten liegt
À 09:00 le jour ouvré le plus proche du jour situé 3 jours avant le dernier jour du mois
A las 09:00 el día laborable más cercano a 3 días antes del último día del mes
离每月最后一天的前3天最近的工作日，09:00

quartz 0 0 9 1,L * ?
At 09:00 on the 1st of the month and on the last day of the month
Um 09:00 Uhr am 1. des Monats und am letzten Tag des Monats
À 09:00 le 1er du mois et le dernier jour du mois
A las 09:00 el día 1 del mes y el último día del mes
每月1日和每月最后一天，09:00

quartz 0 0 9 ? * 6#3
At 09:00 on the third Friday of the month
Um 09:00 Uhr am dritten Freitag des Monats
À 09:00 le troisième vendredi du mois
A las 09:00 el tercer viernes del mes
每月第三个星期五，09:00

quartz 0 0 9 ? * 2#1
At 09:00 on the first Monday of the month
Um 09:00 Uhr am ersten Montag des Monats
À 09:00 le premier lundi du mois
A las 09:00 el primer lunes del mes
每月第一个星期一，09:00

quartz 0 0 9 ? * 2#1,2#3
At 09:00 on the first Monday of the month and on the third Monday of the month
Um 09:00 Uhr am ersten Montag des Monats und am dritten Montag des Monats
À 09:00 le premier lundi du mois et le troisième lundi du mois
A las 09:00 el primer lunes del mes y el tercer lunes del mes
每月第一个星期一和每月第三个星期一，09:00

quartz 0 0 9 ? * 6L
At 09:00 on the last Friday of the month
Um 09:00 Uhr am letzten Freitag des Monats
À 09:00 le dernier vendredi du mois
A las 09:00 el último viernes del mes
每月最后一个星期五，09:00

quartz 0 0 9 ? * 6L 2025
At 09:00 on the last Friday of the month in 2025
Um 09:00 Uhr am letzten Freitag des Monats im Jahr 2025
À 09:00 le dernier vendredi du mois en 2025
A las 09:00 el último viernes del mes en 2025
2025年每月最后一个星期五，09:00

quartz 0 0 9 ? * MON,6L
At 09:00 on Mondays and on the last Friday of the month
Um 09:00 Uhr montags und am letzten Freitag des Monats
À 09:00 le lundi et le dernier vendredi du mois
A las 09:00 los lunes y el último viernes del mes
每星期一和每月最后一个星期五，09:00

quartz 0 0 0 1 1 ? 2030
At 00:00 on 1 January in 2030
Um 00:00 Uhr am 1. Januar im Jahr 2030
À 00:00 le 1er janvier en 2030
A las 00:00 el 1 de enero en 2030
2030年1月1日，00:00

quartz 0 0 0 1 1 ? 2030-2035
At 00:00 on 1 January from 2030 to 2035
Um 00:00 Uhr am 1. Januar in den Jahren 2030 bis 2035
À 00:00 le 1er janvier de 2030 à 2035
A las 00:00 el 1 de enero de 2030 a 2035
2030年至2035年1月1日，00:00

quartz 0 0 0 1 1 ? 2030,2032
At 00:00 on 1 January in 2030 and 2032
Um 00:00 Uhr am 1. Januar in den Jahren 2030 und 2032
À 00:00 le 1er janvier en 2030 et en 2032
A las 00:00 el 1 de enero en 2030 y en 2032
2030年和2032年1月1日，00:00

quartz 0 0 0 1 1 ? 2030/2
At 00:00 on 1 January every 2 years from 2030 to 2098
Um 00:00 Uhr am 1. Januar alle 2 Jahre von 2030 bis 2098
À 00:00 le 1er janvier tous les 2 ans de 2030 à 2098
A las 00:00 el 1 de enero cada 2 años de 2030 a 2098
2030年至2098年之间每2年1月1日，00:00

quartz 0 0 0 29 2 ? 2025
At 00:00 on 29 February in 2025 (never, because no such date exists)
Um 00:00 Uhr am 29. Februar im Jahr 2025 (nie, denn ein solches Datum gibt es nicht)
À 00:00 le 29 février en 2025 (jamais, car cette date n'existe pas)
A las 00:00 el 29 de febrero en 2025 (nunca, porque esa fecha no existe)
2025年2月29日，00:00 (永远不会，因为没有这样的日期)

posix 0 8 * * 1-6
At 08:00 from Monday to Saturday
Um 08:00 Uhr von Montag bis Samstag
À 08:00 du lundi au samedi
A las 08:00 de lunes a sábado
每星期一至星期六，08:00

posix 45 23 * * 6
At 23:45 on Saturdays
Um 23:45 Uhr samstags
À 23:45 le samedi
A las 23:45 los sábados
每星期六，23:45

posix 10 10 10 10 *
At 10:10 on 10 October
Um 10:10 Uhr am 10. Oktober
À 10:10 le 10 octobre
A las 10:10 el 10 de octubre
每年10月10日，10:10

posix 0 0 8 3 *
At 00:00 on 8 March
Um 00:00 Uhr am 8. März
À 00:00 le 8 mars
A las 00:00 el 8 de marzo
每年3月8日，00:00

posix 0 0 1 5 *
At 00:00 on 1 May
Um 00:00 Uhr am 1. Mai
À 00:00 le 1er mai
A las 00:00 el 1 de mayo
每年5月1日，00:00

posix 30 4 15 8 *
At 04:30 on 15 August
Um 04:30 Uhr am 15. August
À 04:30 le 15 août
A las 04:30 el 15 de agosto
每年8月15日，04:30

posix 0 7 * 9 1-5
At 07:00 from Monday to Friday in September
Um 07:00 Uhr von Montag bis Freitag im September
À 07:00 du lundi au vendredi en septembre
A las 07:00 de lunes a viernes en septiembre
每年9月每星期一至星期五，07:00

posix 0,10,20,30,40,50 * * * *
Every 10 minutes
Alle 10 Minuten
Toutes les 10 minutes
Cada 10 minutos
每10分钟

vixie */20 * * * sat,sun
Every 20 minutes on Saturdays and Sundays
Alle 20 Minuten samstags und sonntags
Toutes les 20 minutes le samedi et le dimanche
Cada 20 minutos los sábados y los domingos
每星期六和星期日，每20分钟

vixie 5/15 * * * *
Every hour at minutes 5, 20, 35 and 50
Jede Stunde in Minute 5, 20, 35 und 50
Toutes les heures aux minutes 5, 20, 35 et 50
Cada hora en los minutos 5, 20, 35 y 50
每小时的第5、20、35和50分

vixie 1/10 * * * *
Every hour at minutes 1 to 51 in steps of 10
Jede Stunde in Minute 1 bis 51 in Schritten von 10
Toutes les heures aux minutes 1 à 51 par pas de 10
Cada hora en los minutos 1 a 51 en pasos de 10
每小时的第1至51之间每隔10分

vixie 0 */3 * * *
Every 3 hours every day
Alle 3 Stunden jeden Tag
Toutes les 3 heures tous les jours
Cada 3 horas todos los días
每天，每3小时

vixie 0 */4 * * mon
At 00:00, 04:00, 08:00, 12:00, 16:00 and 20:00 on Mondays
Um 00:00, 04:00, 08:00, 12:00, 16:00 und 20:00 Uhr montags
À 00:00, 04:00, 08:00, 12:00, 16:00 et 20:00 le lundi
A las 00:00, 04:00, 08:00, 12:00, 16:00 y 20:00 los lunes
每星期一，00:00、04:00、08:00、12:00、16:00和20:00

vixie 30 1/2 * * *
At minute 30 of the hours 1 to 23 in steps of 2 every day
In Minute 30 der Stunden 1 bis 23 in Schritten von 2 jeden Tag
À la minute 30 des heures 1 à 23 par pas de 2 tous les jours
En el minuto 30 de las horas 1 a 23 en pasos de 2 todos los días
每天，1至23之间每隔2点的第30分

posix * 0-5 * * *
Every minute from 00:00 to 05:59 every day
Jede Minute von 00:00 bis 05:59 Uhr jeden Tag
Toutes les minutes de 00:00 à 05:59 tous les jours
Cada minuto de 00:00 a 05:59 todos los días
每天，00:00至05:59每分钟

posix 0,30 9-17 * * 1-5
Every 30 minutes from 09:00 to 17:30 from Monday to Friday
Alle 30 Minuten von 09:00 bis 17:30 Uhr von Montag bis Freitag
Toutes les 30 minutes de 09:00 à 17:30 du lundi au vendredi
Cada 30 minutos de 09:00 a 17:30 de lunes a viernes
每星期一至星期五，09:00至17:30每30分钟

posix 0 22-23 * * *
At 22:00 and 23:00 every day
Um 22:00 und 23:00 Uhr jeden Tag
À 22:00 et 23:00 tous les jours
A las 22:00 y 23:00 todos los días
每天，22:00和23:00

posix 0 1,13 * * *
At 01:00 and 13:00 every day
Um 01:00 und 13:00 Uhr jeden Tag
À 01:00 et 13:00 tous les jours
A la 01:00 y 13:00 todos los días
每天，01:00和13:00

posix 59 23 31 12 *
At 23:59 on 31 December
Um 23:59 Uhr am 31. Dezember
À 23:59 le 31 décembre
A las 23:59 el 31 de diciembre
每年12月31日，23:59

posix 0 0 21 * *
At 00:00 on the 21st of the month
Um 00:00 Uhr am 21. des Monats
À 00:00 le 21 du mois
A las 00:00 el día 21 del mes
每月21日，00:00

posix 0 0 22,23 * *
At 00:00 on the 22nd and 23rd of the month
Um 00:00 Uhr am 22. und 23. des Monats
À 00:00 le 22 et le 23 du mois
A las 00:00 los días 22 y 23 del mes
每月22日和23日，00:00

posix 0 3 25-31 * *
At 03:00 from the 25th to the 31st of the month
Um 03:00 Uhr vom 25. bis zum 31. des Monats
À 03:00 du 25 au 31 du mois
A las 03:00 del 25 al 31 del mes
每月25日至31日，03:00

posix 0 3 25-31 1,2 *
At 03:00 from the 25th to the 31st in January and February
Um 03:00 Uhr vom 25. bis zum 31. im Januar und Februar
À 03:00 du 25 au 31 en janvier et en février
A las 03:00 del 25 al 31 en enero y en febrero
每年1月和2月25日至31日，03:00

posix 0 0 * 1,3-5 *
At 00:00 in January and March to May
Um 00:00 Uhr im Januar und März bis Mai
À 00:00 en janvier et de mars à mai
A las 00:00 en enero y de marzo a mayo
每年1月和3月至5月，00:00

posix 0 0 * 11 4
At 00:00 on Thursdays in November
Um 00:00 Uhr donnerstags im November
À 00:00 le jeudi en novembre
A las 00:00 los jueves en noviembre
每年11月每星期四，00:00

posix * * 1 * *
Every minute on the 1st of the month
Jede Minute am 1. des Monats
Toutes les minutes le 1er du mois
Cada minuto el día 1 del mes
每月1日，每分钟

posix * * 1 1 *
Every minute on 1 January
Jede Minute am 1. Januar
Toutes les minutes le 1er janvier
Cada minuto el 1 de enero
每年1月1日，每分钟

posix 0 12 1-7 * 1
At 12:00 from the 1st to the 7th of the month or on Mondays
Um 12:00 Uhr vom 1. bis zum 7. des Monats oder montags
À 12:00 du 1er au 7 du mois ou le lundi
A las 12:00 del 1 al 7 del mes o los lunes
每月1日至7日或每星期一，12:00

posix 0 12 15 * 1-5
At 12:00 on the 15th of the month or from Monday to Friday
Um 12:00 Uhr am 15. des Monats oder von Montag bis Freitag
À 12:00 le 15 du mois ou du lundi au vendredi
A las 12:00 el día 15 del mes o de lunes a viernes
每月15日或每星期一至星期五，12:00

vixie 0 0 1-7,*/31 * 2
At 00:00 from the 1st to the 7th of the month or on Tuesdays
Um 00:00 Uhr vom 1. bis zum 7. des Monats oder dienstags
À 00:00 du 1er au 7 du mois ou le mardi
A las 00:00 del 1 al 7 del mes o los martes
每月1日至7日或每星期二，00:00

vixie 0 0 13 * */5
At 00:00 on the 13th of the month, but only on Fridays and Sundays
Um 00:00 Uhr am 13. des Monats, aber nur freitags und sonntags
À 00:00 le 13 du mois, mais seulement le vendredi et le dimanche
A las 00:00 el día 13 del mes, pero solo los viernes y los domingos
每月13日，且仅限每星期五和星期日，00:00

vixie 0 22 * * fri-sun
At 22:00 from Friday to Sunday
Um 22:00 Uhr von Freitag bis Sonntag
À 22:00 du vendredi au dimanche
A las 22:00 de viernes a domingo
每星期五至星期日，22:00

quartz 0 0/5 14 * * ?
Every 5 minutes from 14:00 to 14:55 every day
Alle 5 Minuten von 14:00 bis 14:55 Uhr jeden Tag
Toutes les 5 minutes de 14:00 à 14:55 tous les jours
Cada 5 minutos de 14:00 a 14:55 todos los días
每天，14:00至14:55每5分钟

quartz 0 0/5 14,18 * * ?
Every 5 minutes from 14:00 to 14:55 and from 18:00 to 18:55 every day
Alle 5 Minuten von 14:00 bis 14:55 Uhr und von 18:00 bis 18:55 Uhr jeden Tag
Toutes les 5 minutes de 14:00 à 14:55 et de 18:00 à 18:55 tous les jours
Cada 5 minutos de 14:00 a 14:55 y de 18:00 a 18:55 todos los días
每天，14:00至14:55和18:00至18:55每5分钟

quartz 0 10,44 14 ? 3 WED
At 14:10 and 14:44 on Wednesdays in March
Um 14:10 und 14:44 Uhr mittwochs im März
À 14:10 et 14:44 le mercredi en mars
A las 14:10 y 14:44 los miércoles en marzo
每年3月每星期三，14:10和14:44

quartz 0 15 10 ? * 6L 2022-2025
At 10:15 on the last Friday of the month from 2022 to 2025
Um 10:15 Uhr am letzten Freitag des Monats in den Jahren 2022 bis 2025
À 10:15 le dernier vendredi du mois de 2022 à 2025
A las 10:15 el último viernes del mes de 2022 a 2025
2022年至2025年每月最后一个星期五，10:15

quartz 0 0 12 1/5 * ?
At 12:00 every 5 days from the 1st to the 31st of the month
Um 12:00 Uhr alle 5 Tage vom 1. bis zum 31. des Monats
À 12:00 tous les 5 jours du 1er au 31 du mois
A las 12:00 cada 5 días del 1 al 31 del mes
每月1日至31日之间每5天，12:00

quartz 0 11 11 11 11 ?
At 11:11 on 11 November
Um 11:11 Uhr am 11. November
À 11:11 le 11 novembre
A las 11:11 el 11 de noviembre
每年11月11日，11:11

quartz 0 0 18 ? * L
At 18:00 on Saturdays
Um 18:00 Uhr samstags
À 18:00 le samedi
A las 18:00 los sábados
每星期六，18:00

quartz 0 0 18 L 12 ?
At 18:00 on the last day of the month in December
Um 18:00 Uhr am letzten Tag des Monats im Dezember
À 18:00 le dernier jour du mois en décembre
A las 18:00 el último día del mes en diciembre
每年12月，每月最后一天，18:00

quartz 0 0 18 ? 11 5#4
At 18:00 on the fourth Thursday of the month in November
Um 18:00 Uhr am vierten Donnerstag des Monats im November
À 18:00 le quatrième jeudi du mois en novembre
A las 18:00 el cuarto jueves del mes en noviembre
每年11月，每月第四个星期四，18:00

quartz 0 0 18 ? * 1#5
At 18:00 on the fifth Sunday of the month
Um 18:00 Uhr am fünften Sonntag des Monats
À 18:00 le cinquième dimanche du mois
A las 18:00 el quinto domingo del mes
每月第五个星期日，18:00

quartz 0 0 18 ? * 3#2
At 18:00 on the second Tuesday of the month
Um 18:00 Uhr am zweiten Dienstag des Monats
À 18:00 le deuxième mardi du mois
A las 18:00 el segundo martes del mes
每月第二个星期二，18:00

quartz 0 0 18 15W,L * ?
At 18:00 on the working day nearest to the 15th of the month and on the last day of the month
Um 18:00 Uhr am Arbeitstag, der dem 15. des Monats am nächsten liegt, und am letzten Tag des Monats
À 18:00 le jour ouvré le plus proche du 15 du mois et le dernier jour du mois
A las 18:00 el día laborable más cercano al 15 del mes y el último día del mes
离每月15日最近的工作日和每月最后一天，18:00

quartz */30 * 8-9 ? * MON-FRI
Every 30 seconds of every minute of the hours 8 and 9 from Monday to Friday
Alle 30 Sekunden jeder Minute der Stunden 8 und 9 von Montag bis Freitag
Toutes les 30 secondes de chaque minute des heures 8 et 9 du lundi au vendredi
Cada 30 segundos de cada minuto de las horas 8 y 9 de lunes a viernes
每星期一至星期五，8和9点的每分钟每30秒

quartz 10 */15 * * * ?
At second 10 of minutes 0, 15, 30 and 45 of every hour
In Sekunde 10 in Minute 0, 15, 30 und 45 jeder Stunde
À la seconde 10 des minutes 0, 15, 30 et 45 de chaque heure
En el segundo 10 de los minutos 0, 15, 30 y 45 de cada hora
每小时的第0、15、30和45分第10秒
`;
