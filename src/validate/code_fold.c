/* SPDX-License-Identifier: Apache-2.0 */
/* Code fold: three ranges that are counted, and a sorted table of the scattered rest. */
#include "validate/code_fold.h"

#include <stdlib.h>

static const struct row {
	uint32_t character;
	char letters[CODE_FOLD_OCTETS + 1];
} rows[] = {
	/* clang-format off */
	{0x00aa, "a"}, {0x00ba, "o"}, {0x0132, "IJ"}, {0x0133, "ij"}, {0x017f, "s"},
	{0x01c7, "LJ"}, {0x01c8, "Lj"}, {0x01c9, "lj"}, {0x01ca, "NJ"}, {0x01cb, "Nj"},
	{0x01cc, "nj"}, {0x01f1, "DZ"}, {0x01f2, "Dz"}, {0x01f3, "dz"}, {0x02b0, "h"},
	{0x02b2, "j"}, {0x02b3, "r"}, {0x02b7, "w"}, {0x02b8, "y"}, {0x02e1, "l"}, {0x02e2, "s"},
	{0x02e3, "x"}, {0x1d2c, "A"}, {0x1d2e, "B"}, {0x1d30, "D"}, {0x1d31, "E"}, {0x1d33, "G"},
	{0x1d34, "H"}, {0x1d35, "I"}, {0x1d36, "J"}, {0x1d37, "K"}, {0x1d38, "L"}, {0x1d39, "M"},
	{0x1d3a, "N"}, {0x1d3c, "O"}, {0x1d3e, "P"}, {0x1d3f, "R"}, {0x1d40, "T"}, {0x1d41, "U"},
	{0x1d42, "W"}, {0x1d43, "a"}, {0x1d47, "b"}, {0x1d48, "d"}, {0x1d49, "e"}, {0x1d4d, "g"},
	{0x1d4f, "k"}, {0x1d50, "m"}, {0x1d52, "o"}, {0x1d56, "p"}, {0x1d57, "t"}, {0x1d58, "u"},
	{0x1d5b, "v"}, {0x1d62, "i"}, {0x1d63, "r"}, {0x1d64, "u"}, {0x1d65, "v"}, {0x1d9c, "c"},
	{0x1da0, "f"}, {0x1dbb, "z"}, {0x2071, "i"}, {0x207f, "n"}, {0x2090, "a"}, {0x2091, "e"},
	{0x2092, "o"}, {0x2093, "x"}, {0x2095, "h"}, {0x2096, "k"}, {0x2097, "l"}, {0x2098, "m"},
	{0x2099, "n"}, {0x209a, "p"}, {0x209b, "s"}, {0x209c, "t"}, {0x2102, "C"}, {0x210a, "g"},
	{0x210b, "H"}, {0x210c, "H"}, {0x210d, "H"}, {0x210e, "h"}, {0x2110, "I"}, {0x2111, "I"},
	{0x2112, "L"}, {0x2113, "l"}, {0x2115, "N"}, {0x2119, "P"}, {0x211a, "Q"}, {0x211b, "R"},
	{0x211c, "R"}, {0x211d, "R"}, {0x2124, "Z"}, {0x2128, "Z"}, {0x212a, "K"}, {0x212c, "B"},
	{0x212d, "C"}, {0x212f, "e"}, {0x2130, "E"}, {0x2131, "F"}, {0x2133, "M"}, {0x2134, "o"},
	{0x2139, "i"}, {0x2145, "D"}, {0x2146, "d"}, {0x2147, "e"}, {0x2148, "i"}, {0x2149, "j"},
	{0x2160, "I"}, {0x2161, "II"}, {0x2162, "III"}, {0x2163, "IV"}, {0x2164, "V"},
	{0x2165, "VI"}, {0x2166, "VII"}, {0x2167, "VIII"}, {0x2168, "IX"}, {0x2169, "X"},
	{0x216a, "XI"}, {0x216b, "XII"}, {0x216c, "L"}, {0x216d, "C"}, {0x216e, "D"},
	{0x216f, "M"}, {0x2170, "i"}, {0x2171, "ii"}, {0x2172, "iii"}, {0x2173, "iv"},
	{0x2174, "v"}, {0x2175, "vi"}, {0x2176, "vii"}, {0x2177, "viii"}, {0x2178, "ix"},
	{0x2179, "x"}, {0x217a, "xi"}, {0x217b, "xii"}, {0x217c, "l"}, {0x217d, "c"},
	{0x217e, "d"}, {0x217f, "m"}, {0x2c7c, "j"}, {0x2c7d, "V"}, {0xa7f2, "C"}, {0xa7f3, "F"},
	{0xa7f4, "Q"}, {0xfb00, "ff"}, {0xfb01, "fi"}, {0xfb02, "fl"}, {0xfb03, "ffi"},
	{0xfb04, "ffl"}, {0xfb05, "st"}, {0xfb06, "st"}, {0xfe33, "_"}, {0xfe34, "_"},
	{0xfe4d, "_"}, {0xfe4e, "_"}, {0xfe4f, "_"}, {0x107a5, "q"},
	/* clang-format on */
};

static int compare(const void *key, const void *row) {
	uint32_t character = *(const uint32_t *)key, other = ((const struct row *)row)->character;
	return character < other ? -1 : character > other;
}

static size_t one(char letter, char to[CODE_FOLD_OCTETS + 1]) {
	to[0] = letter;
	to[1] = '\0';
	return 1;
}

size_t code_fold_character(uint32_t character, char to[CODE_FOLD_OCTETS + 1]) {
	if (character < 0x80) return 0;
	if (character >= 0xff01 && character <= 0xff5e) return one((char)(character - 0xfee0), to);
	if (character >= 0x1d400 && character <= 0x1d6a3) { /* thirteen alphabets, with a few holes */
		uint32_t at = (character - 0x1d400) % 52;
		return one((char)(at < 26 ? 'A' + at : 'a' + at - 26), to);
	}
	if (character >= 0x1d7ce && character <= 0x1d7ff)
		return one((char)('0' + (character - 0x1d7ce) % 10), to);
	const struct row *row = bsearch(&character, rows, COUNT_OF(rows), sizeof rows[0], compare);
	if (!row) return 0;
	memcpy(to, row->letters, sizeof row->letters);
	return strlen(to);
}
