"""Dates as people and programs write them → ISO 8601, in many languages, orders and calendars of separators.

A moment keeps what is said and adds nothing: a day stays a day, a time without a zone stays without one.

>>> str(read_moment("Saturday, 26th of August 2017")), str(read_moment("2017-08-26T10:00:00+02:00"))
('2017-08-26', '2017-08-26T10:00:00+02:00')
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from tamis.about.kernel import kernel

MIN_YEAR = 1990  # the first web page is of this year; earlier dates are epochs and placeholders
MAX_YEAR = 2039  # methods have no clock; years beyond it are placeholders such as 2099 and 9999
_MAX_LENGTH = 120  # characters of a value that are looked at
_PLACEHOLDERS = frozenset(
    map(datetime.date.fromisoformat, ("2038-01-19", "2000-01-01", "1999-12-31", "2001-01-01", "1990-01-01"))
)
_TWO_DIGIT_YEARS = 2000

# Full names and usual abbreviations, one month after the other, by language.
_MONTHS = """
en january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sept/sep october/oct
   november/nov december/dec
de januar/jänner/jan februar/feber/feb märz/mär/mrz april/apr mai juni/jun juli/jul august/aug september/sept/sep
   oktober/okt november/nov dezember/dez
fr janvier/janv février/févr/fév mars avril/avr mai juin juillet/juil août septembre/sept octobre/oct novembre/nov
   décembre/déc
es enero/ene febrero/feb marzo/mar abril/abr mayo/may junio/jun julio/jul agosto/ago
   septiembre/setiembre/sept/sep/set octubre/oct noviembre/nov diciembre/dic
it gennaio/gen febbraio/feb marzo/mar aprile/apr maggio/mag giugno/giu luglio/lug agosto/ago settembre/sett/set
   ottobre/ott novembre/nov dicembre/dic
pt janeiro/jan fevereiro/fev março/mar abril/abr maio/mai junho/jun julho/jul agosto/ago setembro/set outubro/out
   novembro/nov dezembro/dez
nl januari/jan februari/feb maart/mrt april/apr mei juni/jun juli/jul augustus/aug september/sep oktober/okt
   november/nov december/dec
pl stycznia/styczeń/sty lutego/luty/lut marca/marzec/mar kwietnia/kwiecień/kwi maja/maj czerwca/czerwiec/cze
   lipca/lipiec/lip sierpnia/sierpień/sie września/wrzesień/wrz października/październik/paź listopada/listopad/lis
   grudnia/grudzień/gru
ru января/январь/янв февраля/февраль/февр/фев марта/март/мар апреля/апрель/апр мая/май июня/июнь/июн июля/июль/июл
   августа/август/авг сентября/сентябрь/сент/сен октября/октябрь/окт ноября/ноябрь/нояб/ноя декабря/декабрь/дек
uk січня/січень/січ лютого/лютий/лют березня/березень/бер квітня/квітень/кві травня/травень/тра червня/червень/чер
   липня/липень/лип серпня/серпень/сер вересня/вересень/вер жовтня/жовтень/жов листопада/листопад/лис
   грудня/грудень/гру
bg януари/яну февруари/февр март април/апр май юни юли август/авг септември/септ октомври/окт ноември/ноем
   декември/дек
cs ledna/leden února/únor března/březen dubna/duben května/květen června/červen července/červenec srpna/srpen září
   října/říjen listopadu/listopad prosince/prosinec
sk januára/január februára/február marca/marec apríla/apríl mája/máj júna/jún júla/júl augusta/august
   septembra/september októbra/október novembra/november decembra/december
sl januarja/januar februarja/februar marca/marec aprila/april maja/maj junija/junij julija/julij avgusta/avgust
   septembra/september oktobra/oktober novembra/november decembra/december
hr siječnja/siječanj veljače/veljača ožujka/ožujak travnja/travanj svibnja/svibanj lipnja/lipanj srpnja/srpanj
   kolovoza/kolovoz rujna/rujan listopada/listopad studenoga/studenog/studeni prosinca/prosinac
sr јануар/januar фебруар/februar март/mart април/april мај/maj јун/jun јул/jul август/avgust септембар/septembar
   октобар/oktobar новембар/novembar децембар/decembar
sv januari/jan februari/feb mars april/apr maj juni/jun juli/jul augusti/aug september/sept/sep oktober/okt
   november/nov december/dec
da januar/jan februar/feb marts/mar april/apr maj juni/jun juli/jul august/aug september/sep oktober/okt
   november/nov december/dec
no januar/jan februar/feb mars april/apr mai juni/jun juli/jul august/aug september/sep oktober/okt november/nov
   desember/des
fi tammikuuta/tammikuu helmikuuta/helmikuu maaliskuuta/maaliskuu huhtikuuta/huhtikuu toukokuuta/toukokuu
   kesäkuuta/kesäkuu heinäkuuta/heinäkuu elokuuta/elokuu syyskuuta/syyskuu lokakuuta/lokakuu marraskuuta/marraskuu
   joulukuuta/joulukuu
et jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember
lv janvāris/janvāra/janvārī februāris/februāra marts/marta aprīlis/aprīļa maijs/maija jūnijs/jūnija jūlijs/jūlija
   augusts/augusta septembris/septembra oktobris/oktobra novembris/novembra decembris/decembra
lt sausio/sausis vasario/vasaris kovo/kovas balandžio/balandis gegužės/gegužė birželio/birželis liepos/liepa
   rugpjūčio/rugpjūtis rugsėjo/rugsėjis spalio/spalis lapkričio/lapkritis gruodžio/gruodis
hu január/jan február/febr/feb március/márc április/ápr május/máj június/jún július/júl augusztus/aug
   szeptember/szept október/okt november/nov december/dec
ro ianuarie/ian februarie/feb martie/mar aprilie/apr mai iunie/iun iulie/iul august/aug septembrie/sept
   octombrie/oct noiembrie/noi decembrie/dec
el ιανουαρίου/ιανουάριος/ιαν φεβρουαρίου/φεβρουάριος/φεβ μαρτίου/μάρτιος/μαρ απριλίου/απρίλιος/απρ μαΐου/μάιος/μαϊ
   ιουνίου/ιούνιος/ιουν ιουλίου/ιούλιος/ιουλ αυγούστου/αύγουστος/αυγ σεπτεμβρίου/σεπτέμβριος/σεπ
   οκτωβρίου/οκτώβριος/οκτ νοεμβρίου/νοέμβριος/νοε δεκεμβρίου/δεκέμβριος/δεκ
tr ocak/oca şubat/şub mart/mar nisan/nis mayıs/may haziran/haz temmuz/tem ağustos/ağu eylül/eyl ekim/eki kasım/kas
   aralık/ara
id januari/jan februari/feb maret/mar april/apr mei juni/jun juli/jul agustus/agu/agt september/sep oktober/okt
   november/nov desember/des
ca gener/gen febrer/febr març abril/abr maig juny juliol/jul agost/ag setembre/set octubre/oct novembre/nov
   desembre/des
eu urtarrilaren/urtarrila otsailaren/otsaila martxoaren/martxoa apirilaren/apirila maiatzaren/maiatza
   ekainaren/ekaina uztailaren/uztaila abuztuaren/abuztua irailaren/iraila urriaren/urria azaroaren/azaroa
   abenduaren/abendua
ar يناير/كانون_الثاني فبراير/شباط مارس/آذار أبريل/ابريل/نيسان مايو/أيار/ماي يونيو/حزيران يوليو/تموز أغسطس/آب
   سبتمبر/أيلول أكتوبر/تشرين_الأول نوفمبر/تشرين_الثاني ديسمبر/كانون_الأول
fa ژانویه فوریه مارس آوریل مه ژوئن ژوئیه اوت سپتامبر اکتبر نوامبر دسامبر
he בינואר/ינואר בפברואר/פברואר במרץ/מרץ באפריל/אפריל במאי/מאי ביוני/יוני ביולי/יולי באוגוסט/אוגוסט בספטמבר/ספטמבר
   באוקטובר/אוקטובר בנובמבר/נובמבר בדצמבר/דצמבר
hi जनवरी फरवरी/फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर/सितम्बर अक्टूबर नवंबर/नवम्बर दिसंबर/दिसम्बर
bn জানুয়ারি ফেব্রুয়ারি মার্চ এপ্রিল মে জুন জুলাই আগস্ট সেপ্টেম্বর অক্টোবর নভেম্বর ডিসেম্বর
th มกราคม/ม.ค กุมภาพันธ์/ก.พ มีนาคม/มี.ค เมษายน/เม.ย พฤษภาคม/พ.ค มิถุนายน/มิ.ย กรกฎาคม/ก.ค สิงหาคม/ส.ค กันยายน/ก.ย
   ตุลาคม/ต.ค พฤศจิกายน/พ.ย ธันวาคม/ธ.ค
"""


def _fold(word: str) -> str:
    """The word without case and accents, so that ``Août`` and ``aout`` are one."""
    if word.isascii():
        return word.lower().rstrip(".")
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character)).rstrip(".")


def _month_table() -> dict[str, int]:
    table: dict[str, int] = {}
    for line in _MONTHS.replace("\n ", " ").strip().splitlines():
        for number, names in enumerate(line.split()[1:], start=1):
            for name in names.split("/"):
                table.setdefault(_fold(name.replace("_", " ")), number)
    return table


_MONTH_NUMBERS = _month_table()
_WORD = r"[^\W\d_][^\W\d_'’.]{1,14}\.?"
_YEAR = r"((?:19|20)\d\d)"
# Patterns begin with a set, for which the engine has a quick search: what must not stand before it is said behind it.
_FIRST_YEAR = r"((?:19(?<!\d19)|20(?<!\d20))\d\d)"
_LINK_WORDS = r"(?:(?:de|del|of|d['’]|do|da|di|dne|den|the|ng|ta['’])\s{1,3})?"
_CLOCK = (
    r"(?:(?:\s{0,3}[,|/·•@–—-]|\s{1,3}(?:at|um|à|a las|alle|às|kl\.?|o|om|в|klo)|T)?\s{0,3}"
    r"(?P<hour>[01]?\d|2[0-3])[:.h](?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d)(?:[.,]\d{1,9})?)?"
    r"(?:\s{0,2}(?P<half>[ap])\.?m\b\.?)?"
    r"(?:\s{0,2}(?P<zone>Z\b|UTC\b|GMT(?:[+-]\d{2}:?\d{2})?|[+-]\d{2}(?::?\d{2})?(?!\d)))?(?!\d))?"
)
_ISO = re.compile(rf"{_FIRST_YEAR}([-/.])(0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])(?!\d)" + _CLOCK)
_COMPACT = re.compile(
    r"\A\s*((?:19|20)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])(?:T?(\d\d)(\d\d)(\d\d)?(Z|[+-]\d{2}:?\d{2})?)?\s*\Z"
)
_DAY_FIRST = re.compile(
    rf"(\d(?<![\w.,:/-]\d)\d?)(?:st|nd|rd|th|er|º|ª|°|\.)?[\s./-]{{0,4}}{_LINK_WORDS}({_WORD})"
    rf"[\s,./-]{{0,4}}{_LINK_WORDS}(?:{_YEAR}|['’](\d\d))(?!\d)" + _CLOCK,
    re.IGNORECASE,
)
_MONTH_FIRST = re.compile(
    rf"(?<!\w)({_WORD})[\s./-]{{0,3}}(\d{{1,2}})(?:st|nd|rd|th)?(?:\s{{0,2}},\s{{0,2}}|[\s/-]{{1,3}}){_YEAR}(?!\d)"
    + _CLOCK,
    re.IGNORECASE,
)
# What it finds ends so, but for the time; behind so many characters, which are its first word and the marks after it.
_DAY_BEFORE_YEAR = re.compile(rf"\d(?:st|nd|rd|th)?(?:\s{{0,2}},\s{{0,2}}|[\s/-]{{1,3}}){_YEAR}(?!\d)", re.IGNORECASE)
_LONGEST_MONTH = 21
_YEAR_FIRST = re.compile(
    rf"{_FIRST_YEAR}\.?\s{{0,2}}(?:m\.|оны)?\s{{0,2}}({_WORD})\s{{1,2}}(\d{{1,2}})(?!\d)\.?" + _CLOCK, re.IGNORECASE
)
_MONTH_DAY_CLOCK_YEAR = re.compile(  # what C's ctime and JavaScript write
    rf"(?<!\w)({_WORD})\s{{1,2}}(\d{{1,2}})\s(\d\d):(\d\d):(\d\d)(?:\s[A-Z]{{2,5}})?(\s?[+-]\d{{4}})?\s{_YEAR}"
)
_NUMERIC = re.compile(
    r"(\d(?<![\d./:-]\d)\d?)([./-])\s?(\d{1,2})\2\s?((?:19|20)\d\d|\d\d)(?![\d/:-]|\.\d)" + _CLOCK, re.IGNORECASE
)
_IDEOGRAPHIC = re.compile(
    r"(?<!\d)((?:19|20)\d\d)\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일号號]?"
    + _CLOCK.replace("[:.h]", "[:：时時시]")
)
_VIETNAMESE = re.compile(rf"(?<!\d)(\d{{1,2}})\s(?:tháng|thg)\s(\d{{1,2}})(?:,|\snăm)?\s{_YEAR}", re.IGNORECASE)
_TWO_NUMBERS = re.compile(r"\d\D{1,40}\d")  # as far apart as a day and its year can be: 40 in ``_DAY_FIRST``
_NUMBER_SEPARATORS = ("-", "/", ".")  # of which dates in numbers have the same twice
_EPOCH = re.compile(r"\A\s*(\d{9,10})(\d{3})?\s*\Z")


class Moment(NamedTuple):
    """A day, perhaps with a time, perhaps with the time's zone."""

    day: datetime.date
    time: str = ""  # "10:00" or "10:00:00"
    zone: str = ""  # "Z" or "+02:00"

    def __str__(self) -> str:
        return f"{self.day.isoformat()}T{self.time}{self.zone}" if self.time else self.day.isoformat()


class Found(NamedTuple):
    """A moment and where in the text it is written."""

    moment: Moment
    start: int
    end: int


def read_moment(value: str, *, month_first: bool = False) -> Moment | None:
    """The moment that a value stands for; None when it stands for none or for a placeholder.

    ``month_first`` decides what cannot be known from the numbers: whether 3/4/2020 is in March.
    """
    value = value.strip()[:_MAX_LENGTH]
    match = _ISO.match(value)  # as most are that programs write; nothing else can begin where it does
    if match and (date := _day(match[1], match[3], match[4])):
        return _moment(date, match)
    return _compact(value) or next((found.moment for found in find_moments(value, month_first=month_first)), None)


def find_moments(text: str, *, month_first: bool = False) -> Iterator[Found]:
    """All dates written in a text, in their order; overlapping readings give the first."""
    if not may_hold_date(text):
        return
    found = [
        *_written(text, _DAY_FIRST, lambda m: (m[3] or _century(m[4]), _month(m[2]), m[1])),
        *_written(text, _YEAR_FIRST, lambda m: (m[1], _month(m[2]), m[3])),
    ]
    # Most texts lack what the others need, which is seen at once.
    if day := _DAY_BEFORE_YEAR.search(text):
        start = max(0, day.start() - _LONGEST_MONTH)
        found += _written(text, _MONTH_FIRST, lambda m: (m[3], _month(m[1]), m[2]), start)
    if max(map(text.count, _NUMBER_SEPARATORS)) > 1:
        found += _written(text, _ISO, lambda m: (m[1], m[3], m[4]))
        found += _written(text, _NUMERIC, lambda m: _numeric(m, month_first))
    if text.count(":") > 1:
        found += _ctime(text)
    if "年" in text or "년" in text:
        found += _written(text, _IDEOGRAPHIC, lambda m: (m[1], m[2], m[3]))
    lowered = text.lower()
    if "thg" in lowered or "tháng" in lowered:
        found += _written(text, _VIETNAMESE, lambda m: (m[3], m[2], m[1]))
    reach = -1
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if one.start >= reach:
            reach = one.end
            yield one


def may_hold_date(text: str) -> bool:
    """False for a text in which no date can be found: it has no year, or no other number near one."""
    return _TWO_NUMBERS.search(text) is not None and len(kernel.date_places(text)) > 0


def is_month(word: str) -> bool:
    """True for the name of a month in one of the languages known here, or its abbreviation."""
    return _month(word) is not None


def is_plausible(day: datetime.date) -> bool:
    """False for epochs, placeholders, and years before the web."""
    return MIN_YEAR <= day.year <= MAX_YEAR and day not in _PLACEHOLDERS


def _written(text, pattern, parts, start=0) -> Iterator[Found]:  # type: ignore[no-untyped-def]
    for match in pattern.finditer(text, start):
        date = _day(*parts(match))
        if date:
            yield Found(_moment(date, match), *match.span())


def _ctime(text: str) -> Iterator[Found]:
    for match in _MONTH_DAY_CLOCK_YEAR.finditer(text):
        date = _day(match[7], _month(match[1]), match[2])
        if date:
            yield Found(_at(date, _clock(match[3], match[4], match[5]), match[6]), *match.span())


def _compact(value: str) -> Moment | None:
    """Dates that only programs write: digits without separators, and seconds since 1970."""
    match = _COMPACT.match(value)
    if match:
        date = _day(match[1], match[2], match[3])
        time = _clock(match[4], match[5], match[6]) if match[4] else ""
        return _at(date, time, match[7]) if date else None
    match = _EPOCH.match(value)
    if match:
        moment = datetime.datetime.fromtimestamp(int(match[1]), datetime.UTC)
        return Moment(moment.date(), moment.time().isoformat(), "Z") if is_plausible(moment.date()) else None
    return None


def _day(year: str | int | None, month: str | int | None, day: str | int | None) -> datetime.date | None:
    if not year or not month or not day:
        return None
    try:
        date = datetime.date(int(year), int(month), int(day))
    except ValueError:
        return None
    return date if is_plausible(date) else None


def _month(name: str) -> int | None:
    return _MONTH_NUMBERS.get(_fold(name))


def _century(year: str | None) -> int | None:
    return _TWO_DIGIT_YEARS + int(year) if year else None


def _numeric(match: re.Match[str], month_first: bool) -> tuple[str | int | None, int, int]:
    first, separator, second, year = int(match[1]), match[2], int(match[3]), match[4]
    if second > 12 or (month_first and separator != "." and first <= 12):
        first, second = second, first
    if len(year) == 2 and separator == "-":
        return None, second, first  # 12-10-08: scores, sizes and telephone numbers look like this
    return (year if len(year) == 4 else _century(year)), second, first


def _moment(day: datetime.date, match: re.Match[str]) -> Moment:
    """The moment of a day at the time that stands behind it, if one does."""
    if "hour" not in match.re.groupindex or match["hour"] is None:
        return Moment(day)
    hour, minute, second, half, zone = match.group("hour", "minute", "second", "half", "zone")
    number = int(hour)
    if half:
        if number > 12:
            return Moment(day)
        number = number % 12 + (12 if half.lower() == "p" else 0)
    return _at(day, _clock(number, minute, second), zone)


def _clock(hour: str | int, minute: str, second: str | None) -> str:
    """
    >>> _clock(9, "05", None), _clock("23", "59", "59"), _clock("24", "00", None)
    ('09:05', '23:59:59', '')
    """
    hours, minutes, seconds = int(hour), int(minute), int(second or 0)
    if hours > 23 or minutes > 59 or seconds > 59:
        return ""
    return f"{hours:02}:{minutes:02}" + (f":{seconds:02}" if second else "")


def _at(day: datetime.date, time: str, zone: str | None) -> Moment:
    return Moment(day, time, _zone(zone) if time else "")


def _zone(zone: str | None) -> str:
    """
    >>> _zone("GMT+0200"), _zone("gmt"), _zone("-05"), _zone(None)
    ('+02:00', 'Z', '-05:00', '')
    """
    if not zone:
        return ""
    digits = zone.strip().upper().removeprefix("GMT").replace(":", "")  # dates in words are found in any case
    if digits in ("", "Z", "UTC"):
        return "Z"
    hours, minutes = int(digits[1:3]), int(digits[3:5] or 0)
    return f"{digits[0]}{hours:02}:{minutes:02}" if hours <= 14 and minutes < 60 else ""
