/* SPDX-License-Identifier: Apache-2.0 */
/* Search table: words of grammar and asking, verbs, and words that stand for one another. */
#include "search/search_table.h"

/* They say nothing in a definition either. */
const char search_table_grammar[] =
	"a an the of to in on at for from by with and or nor is are was were be been being it its this that these those "
	"as if then than so such into onto via per any all some each every which who whom whose what when where why how "
	"i me my mine we us our ours you your yours he him his she her hers they them their theirs "
	"do does did done can could may might must shall should will would have has had having not no yes but there here "
	"also only just very about over under between within without using used use uses e g etc ie eg";

/* With these one asks for anything at all. */
const char search_table_asking[] =
	"please want wants wanted need needs like let lets help tell give show gimme wish know see look get find "
	"thing things something anything someone somebody anybody somebodys everything one ones thats im id ill ive "
	"whats hows wheres whos dont doesnt isnt cant now again really actually way kind sort bit lot lots much many "
	"few more most certain particular specific given following particularly able trying try going go goes gonna "
	"make makes sure out up off down am another other same own tool tools mcp server service platform operation "
	"operations functionality ability capability hey hi hello thanks thank kindly quickly easily currently "
	"exactly whether because while after before through across along around still yet ever got put take too "
	"well good right both either "
	"until upon toward towards regarding concerning based provided existing available";

const char *const search_table_verbs[] = {
	/* read */ "get list search find read fetch show view describe query lookup retrieve browse check inspect count "
		   "display look see tell explain analyze compare calculate read info status download extract watch "
		   "monitor summarize lookup resolve which what who where when why how is are does whats open",
	/* create */ "create add new insert generate make build register upload import write compose draft draw render "
		     "schedule book save store init initialize clone copy duplicate invite start_new plot record deploy publish",
	/* change */ "update edit modify change rename move set replace patch put adjust configure alter assign enable "
		     "disable resize rotate merge convert format transform archive restore mark toggle switch swap fix "
		     "append tag label revise",
	/* delete */ "delete remove drop destroy erase clear purge trash revoke unassign discard cancel uninstall "
		     "deregister unregister detach wipe flush prune evict rid",
	/* send */ "send post reply email message notify share forward comment tweet dm announce broadcast respond say",
	/* run */ "run execute start stop restart invoke call launch trigger kill terminate pause resume click press "
		  "navigate scroll type play shutdown reboot scale test build compile install evaluate solve",
};
const size_t search_table_verbs_count = COUNT_OF(search_table_verbs);

const char *const search_table_alike[] = {
	/* Deeds */
	"delete remove erase discard destroy drop unset", "create add make new insert generate",
	"create make build construct compose produce",
	"update edit modify change alter adjust revise amend", "replace swap substitute overwrite",
	"rename move relocate", "copy duplicate clone replicate",
	"list enumerate browse show index overview",
	"get fetch retrieve read obtain load receive pull",
	"get show view display details inspect describe",
	"search find query lookup locate seek discover", "search filter match",
	"send post deliver dispatch submit", "reply respond answer comment",
	"run execute invoke perform launch evaluate call",
	"start launch begin boot activate initiate",
	"stop halt terminate end kill shutdown abort quit cancel", "pause suspend hold freeze",
	"resume continue unpause proceed", "restart reboot reload reset",
	"save store persist write keep record", "write edit save put",
	"upload import attach put push", "download export save pull",
	"convert transform turn translate change conversion",
	"translate translation language localize localization",
	"merge combine join concatenate unite", "split divide separate partition cut",
	"compare diff difference contrast versus", "check verify validate test inspect confirm",
	"calculate compute evaluate count", "count number total amount many quantity",
	"analyze analysis examine inspect evaluate assess study review insight",
	"summarize summary digest brief recap overview abstract",
	"explain describe interpret clarify", "extract scrape parse crawl pull",
	"scrape crawl fetch spider", "monitor watch track observe follow",
	"subscribe follow watch", "schedule plan arrange book appointment",
	"book reserve reservation booking", "share invite collaborate",
	"publish deploy release host", "deploy rollout launch provision", "approve accept confirm",
	"reject decline deny refuse", "enable activate turn_on allow",
	"disable deactivate turn_off", "lock protect secure", "encrypt cipher encode",
	"decode decrypt unscramble", "sort order rank arrange", "assign allocate attribute",
	"archive backup snapshot dump", "restore recover undelete revert rollback undo",
	"sign_up register signup enroll", "log_in login signin authenticate sign_in auth",
	"log_out logout signout", "install setup add",
	"configure setup set config settings preferences configuration",
	"optimize improve enhance tune", "generate produce create",
	"render draw paint sketch visualize", "plot chart graph diagram visualization draw",
	"resize scale shrink enlarge", "crop trim cut clip",
	"recommend suggest recommendation suggestion propose advise", "random dice shuffle chance",
	"click press tap push", "type enter fill input", "scroll swipe",
	"think reason reasoning thought reflect sequential",
	"remember memorize memory store recall", "forget delete", "vote poll ballot survey",
	"pay payment charge purchase buy checkout", "buy purchase order acquire", "sell sale",
	"refund reimburse chargeback", "transfer move send wire",
	/* Files and text */
	"file document", "folder directory dir", "disk drive filesystem storage volume",
	"contents content text body", "line row", "append add", "zip compress archive",
	"unzip extract decompress", "picture image photo photograph img pic",
	"image picture graphic illustration", "screenshot capture snapshot screen",
	"metadata exif properties info", "ocr text recognize recognition",
	"video clip movie film footage", "movie film cinema", "subtitle caption transcript",
	"transcript transcription transcribe", "audio sound music voice", "song track music",
	"speech voice speak tts narration", "pdf document",
	"spreadsheet excel sheet xlsx workbook worksheet",
	"presentation slide powerpoint ppt deck pptx slideshow", "word docx doc document",
	"csv table tabular spreadsheet", "note memo notes", "article post story blog",
	"paper article publication study research", "book novel ebook", "quote quotation",
	"heading title header headline", "paragraph section", "font typeface typography",
	"template boilerplate pattern", "form questionnaire survey", "signature sign esign",
	"markdown md",
	/* Web */
	"web internet online website", "website site page webpage web",
	"url link address hyperlink", "browser chrome chromium tab",
	"bookmark favorite favourite saved", "html page webpage", "domain dns hostname",
	"cookie session", "seo ranking keyword serp", "traffic visit visitor analytics",
	"news headline article", "feed rss", "search_engine google bing duckduckgo",
	/* Data */
	"database db sql", "table relation", "row record entry item", "column field attribute",
	"query sql select statement", "schema structure layout", "schema describe definition",
	"index indexes indices", "collection bucket container", "key secret credential token",
	"vector embedding semantic similarity", "dataset data",
	"statistics stats metrics analytics figures numbers", "metric measurement gauge",
	"dashboard panel board", "report summary", "backup snapshot copy", "cache memory redis",
	"queue topic stream kafka", "topic subject channel", "view perspective",
	"transaction transfer payment", "document record object",
	/* Code */
	"repo repository project", "commit revision changeset", "branch fork",
	"pull_request pr merge_request pull", "issue bug ticket problem defect",
	"error exception failure crash bug fault issue", "code source program script snippet",
	"script program", "function method routine procedure", "package library dependency module",
	"library framework sdk", "component widget element",
	"docs documentation manual guide reference", "version release tag",
	"changelog changes release", "changes diff modifications history",
	"build compile ci pipeline job workflow", "pipeline workflow automation dag flow",
	"test spec check", "lint format style", "debug troubleshoot diagnose",
	"terminal shell command console bash cli", "process pid task", "api endpoint interface",
	"webhook callback hook", "environment env", "variable parameter setting",
	"secret password credential vault", "vulnerability cve security exploit weakness",
	"scan check audit", "license licence", "star stargazer like", "trending popular hot top",
	"contributor author",
	/* Cloud and operation */
	"server machine host instance vm node", "vm virtual_machine instance",
	"container docker pod", "kubernetes k8s cluster", "cluster node", "cloud aws azure gcp",
	"log logs logging journal", "alert alarm notification warning incident", "incident outage",
	"uptime availability health status", "health status ping",
	"status state condition progress", "cost price billing spend expense usage",
	"bill billing invoice", "invoice bill receipt", "subscription plan membership",
	"quota limit usage", "network vpc subnet", "firewall security rule acl",
	"permission access role right privilege", "user account member profile person",
	"member participant attendee", "role permission", "group team organization",
	"organization org company workspace", "team group squad", "profile bio account",
	"me self myself current whoami", "backlog sprint board",
	/* Work */
	"task todo ticket item card reminder assignment", "todo task reminder",
	"project board workspace", "deadline due date", "priority urgency importance",
	"calendar schedule event agenda", "event meeting appointment", "meeting call conference",
	"email mail message gmail inbox", "message chat dm text sms", "sms text message",
	"channel room conversation", "chat conversation message thread",
	"thread discussion conversation", "emoji reaction react",
	"contact person address lead customer", "customer client buyer contact", "lead prospect",
	"deal opportunity", "company business firm corporation organization enterprise",
	"employee staff worker", "job vacancy position career opening", "resume cv",
	"campaign advertising ad ads marketing", "newsletter mailing",
	"audience segment subscriber", "tag label category", "comment remark feedback note",
	"feedback review rating", "review rating feedback", "attachment file",
	"time date clock hour", "timezone time_zone utc", "time now current", "today current now",
	"history past log previous historical", "recent latest last newest",
	"latest recent newest current",
	/* Money */
	"stock share equity ticker", "stock_market stock market", "price cost quote rate value",
	"crypto cryptocurrency bitcoin coin token btc", "bitcoin btc", "ethereum eth",
	"coin token", "currency money forex exchange", "exchange_rate currency conversion rate",
	"wallet balance address account", "balance funds money", "blockchain chain onchain ledger",
	"nft collectible token", "portfolio holdings position investment",
	"earnings income profit revenue", "financials financial finance income",
	"funding investment raise investor venture", "investor shareholder vc",
	"trade order buy sell", "loan credit mortgage", "tax vat", "product item goods",
	"product listing catalog", "shop store ecommerce", "cart basket", "order purchase",
	"discount coupon promotion", "inventory stock", "shipping delivery shipment",
	"sentiment mood emotion",
	/* World */
	"map geography location", "location place position address geo",
	"place venue poi location", "coordinates latitude longitude geocode gps",
	"geocode coordinates address", "route directions path navigation",
	"nearby near around close vicinity", "distance far length", "commute travel trip",
	"travel trip journey tour", "restaurant dining food eat",
	"hotel accommodation lodging stay", "airbnb listing stay", "flight plane airline airfare",
	"airport airline", "train railway rail", "ticket train", "station stop",
	"car vehicle auto automobile", "park garden", "weather forecast temperature climate",
	"forecast prediction predict", "temperature weather", "rain precipitation weather",
	"country nation", "city town", "street road", "recipe dish meal cook cooking food",
	"meal food dish menu", "ingredient food", "nutrition calorie diet",
	"exercise workout fitness training", "health medical medicine",
	"drug medicine medication pharmaceutical", "disease illness condition diagnosis",
	"trial study clinical", "gene genetic variant genome mutation", "protein molecule",
	"patient medical", "doctor physician", "law legal legislation", "patent invention",
	"government public official", "school university education course", "course lesson class",
	"student pupil learner", "word vocabulary dictionary", "definition meaning dictionary",
	"synonym thesaurus", "math mathematics arithmetic calculator", "sum add addition total",
	"subtract minus difference", "multiply product times", "average mean",
	"maximum max largest highest", "minimum min smallest lowest", "equation formula",
	"unit measure", "color colour palette", "theme style appearance", "icon symbol logo svg",
	"shape rectangle circle", "canvas drawing painting", "layer frame", "animation motion",
	"3d model mesh", "scene level world", "object entity thing", "entity node",
	"relation edge relationship link connection", "graph knowledge_graph network",
	"mind_map mindmap", "game play", "player character", "score result", "match fixture game",
	"team club", "league competition", "anime manga", "lyrics song", "playlist track album",
	"artist singer musician", "podcast episode", "camera webcam", "device phone mobile gadget",
	"phone telephone mobile call", "android phone", "light lamp bulb",
	"thermostat temperature heating", "sensor device", "printer print", "clipboard paste",
	"window app application", "app application program", "keyboard key type", "mouse cursor",
	"password secret", "id identifier uuid guid", "qr barcode", "hash checksum digest",
	"llm ai model gpt", "agent assistant bot", "bot robot", "prompt instruction",
	"knowledge memory fact", "embedding vector", "train training finetune",
	"prediction inference", "twitter tweet x", "tweet post", "facebook meta",
	"followers follower audience", "likes reactions", "hashtag tag", "post publish update",
	"horoscope astrology zodiac fortune", "batch bulk multiple several",
	"manage control handle administer", "information info details data",
	"activity action history", "connect attach link pair integrate",
	"disconnect detach unlink", "upsert insert update", "aggregate group sum statistics",
	"withdraw payout", "deposit fund topup", "timesheet hours worklog",
	"payroll salary wage payslip", "contract agreement", "invitation invite",
	"name title label", "execution run job", "outgoing sent", "private personal confidential",
	"maintenance repair", "collaborator member contributor", "observation fact note",
	"swap exchange trade", "indicator signal technical", "estimate approximate predict",
	"research investigate study", "migration migrate upgrade", "policy rule governance",
	"notebook jupyter", "trace span", "museum gallery artwork art", "champion hero character",
	"neighborhood district area region", "dispute complaint claim", "vendor supplier provider",
	"loss deficit", "infrastructure terraform", "grant allow permission",
	"unpaid overdue receivable outstanding", "leader leaderboard ranking",
	"highlight annotation mark", "editor ide vim", "outline summary toc", "sandbox isolated",
	"draft unpublished", "unpublish hide withdraw", "pin stick", "region area zone",
	"shard replica", "remote ssh server", "whois domain registration owner",
	"period range interval", "developer programmer engineer", "plugin extension addon",
	"string text", "avatar picture profile", "local offline", "workout athlete sport",
	"gainer winner riser", "loser faller", "liquidity pool", "transition status workflow",
	"coverage tested", "placeholder dummy sample fake", "fake mock dummy",
	"simulate mock emulate", "emulator simulator device", "notify alert inform",
	"expire ttl expiration", "increment increase raise", "decrement decrease reduce lower",
	"rotate turn flip", "zoom scale magnify", "undo back revert", "redo repeat", "unlock open",
	"hide conceal", "complete finish done", "incomplete open pending unfinished",
	"late overdue delayed", "sibling related", "parent ancestor", "child descendant nested",
	"nearest closest nearby", "average typical", "annual yearly", "daily everyday",
	"hourly hour", "pollution air quality", "joke humor funny"};
const size_t search_table_alike_count = COUNT_OF(search_table_alike);
