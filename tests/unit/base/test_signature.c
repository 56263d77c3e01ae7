/* SPDX-License-Identifier: Apache-2.0 */
/* The examples of RFC 7515 appendix A and RFC 8037 appendix A, octet for octet. */
#include "check.h"

#include "base/secret.h"
#include "base/signature.h"

#define CLAIMS "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
#define RSA_N \
	"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yR" \
	"T-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXB" \
	"dQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9ia" \
	"GNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"

static struct text held[16];
static unsigned used;

static struct slice octets(const char *base64url) {
	struct text *text = &held[used++ % COUNT_OF(held)];
	text_finish(text);
	text_init(text, 0);
	assert_true(secret_unbase64url(text, slice_of(base64url)));
	return text_slice(text);
}

static int forget(void **state) {
	(void)state;
	for (size_t i = 0; i < COUNT_OF(held); i++) text_finish(&held[i]);
	return 0;
}

/* Holds as it stands, and in no other way: another octet of text or signature, another length. */
static void check_only(const struct signature_key *key, enum signature_scheme scheme, const char *text,
	struct slice signature) {
	assert_true(signature_holds(key, scheme, slice_of(text), signature));
	assert_false(signature_holds(key, scheme, slice_make(text, strlen(text) - 1), signature));
	assert_false(signature_holds(key, scheme, SLICE_NONE, signature));
	assert_false(signature_holds(key, scheme, slice_of(text), SLICE_NONE));
	assert_false(signature_holds(key, scheme, slice_of(text), slice_make(signature.bytes, signature.length - 1)));
	char changed[512];
	assert_true(signature.length <= sizeof changed);
	for (size_t at = 0; at < signature.length; at += 7) {
		memcpy(changed, signature.bytes, signature.length);
		changed[at] = (char)(changed[at] ^ 1);
		assert_false(signature_holds(key, scheme, slice_of(text), slice_make(changed, signature.length)));
	}
	memset(changed, 0, sizeof changed);
	assert_false(signature_holds(key, scheme, slice_of(text), slice_make(changed, signature.length)));
}

/* No key serves a scheme of another kind. */
static void check_kind(const struct signature_key *key, enum signature_kind kind) {
	static const enum signature_kind of_scheme[] = {SIGNATURE_HMAC, SIGNATURE_RSA, SIGNATURE_RSA,
		SIGNATURE_EC_P256, SIGNATURE_ED25519};
	char zeros[256] = {0};
	assert_int_equal(signature_key_kind(key), kind);
	for (size_t scheme = 0; scheme < COUNT_OF(of_scheme); scheme++) {
		if (of_scheme[scheme] == kind) continue;
		assert_false(signature_holds(key, (enum signature_scheme)scheme, SLICE("text"), slice_make(zeros, 32)));
		assert_false(signature_holds(key, (enum signature_scheme)scheme, SLICE("text"), slice_make(zeros, 64)));
	}
}

static void hmac_holds_as_in_rfc_7515_a_1(void **state) {
	(void)state;
	struct signature_key *key = signature_key_secret(octets(
								 "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"),
		NULL);
	assert_non_null(key);
	check_only(key, SIGNATURE_HMAC_SHA256, "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9." CLAIMS,
		octets("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"));
	check_kind(key, SIGNATURE_HMAC);
	signature_key_free(key);
}

static void rsa_holds_as_in_rfc_7515_a_2(void **state) {
	(void)state;
	struct fault why;
	struct signature_key *key = signature_key_rsa(octets(RSA_N), octets("AQAB"), &why);
	assert_non_null(key);
	check_only(key, SIGNATURE_RSA_SHA256, "eyJhbGciOiJSUzI1NiJ9." CLAIMS,
		octets("cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5"
		       "jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb"
		       "1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QO"
		       "YEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"));
	check_kind(key, SIGNATURE_RSA);
	/* A signature of one padding is none of the other. */
	assert_false(signature_holds(key, SIGNATURE_RSA_PSS_SHA256, slice_of("eyJhbGciOiJSUzI1NiJ9." CLAIMS),
		octets("cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5"
		       "jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb"
		       "1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QO"
		       "YEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw")));
	signature_key_free(key);
}

static void ecdsa_holds_as_in_rfc_7515_a_3(void **state) {
	(void)state;
	struct fault why;
	struct signature_key *key = signature_key_p256(octets("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"),
		octets("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"), &why);
	assert_non_null(key);
	check_only(key, SIGNATURE_ECDSA_SHA256, "eyJhbGciOiJFUzI1NiJ9." CLAIMS,
		octets("DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"));
	check_kind(key, SIGNATURE_EC_P256);
	signature_key_free(key);
}

static void ed25519_holds_as_in_rfc_8037_a_4(void **state) {
	(void)state;
	struct fault why;
	struct signature_key *key =
		signature_key_ed25519(octets("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"), &why);
	assert_non_null(key);
	check_only(key, SIGNATURE_EDDSA, "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc",
		octets("hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"));
	check_kind(key, SIGNATURE_ED25519);
	signature_key_free(key);
}

static void weak_keys_are_none(void **state) {
	(void)state;
	struct fault why;
	char zeros[256] = {0}, two[256] = {1};
	assert_null(signature_key_secret(SLICE("thirty-one octets are too few.."), &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	assert_null(signature_key_rsa(slice_make(octets(RSA_N).bytes, 128), octets("AQAB"), &why));
	assert_null(signature_key_rsa(slice_make(zeros, 256), octets("AQAB"), &why));
	assert_null(signature_key_rsa(slice_make(two, 256), octets("AQAB"), &why)); /* 2041 bits */
	assert_null(signature_key_rsa(octets(RSA_N), octets("AQ"), &why));          /* e = 1: everything is its own signature */
	assert_null(signature_key_rsa(octets(RSA_N), octets("Ag"), &why));
	assert_null(signature_key_rsa(octets(RSA_N), SLICE_NONE, &why));
	assert_null(signature_key_p256(slice_make(zeros, 32), slice_make(zeros, 32), &why));
	assert_null(signature_key_p256(octets("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"),
		octets("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"), &why)); /* not on the curve */
	assert_null(signature_key_p256(slice_make(zeros, 31), slice_make(zeros, 32), &why));
	assert_null(signature_key_ed25519(slice_make(zeros, 31), &why));
	signature_key_free(NULL);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hmac_holds_as_in_rfc_7515_a_1),
		cmocka_unit_test(rsa_holds_as_in_rfc_7515_a_2),
		cmocka_unit_test(ecdsa_holds_as_in_rfc_7515_a_3),
		cmocka_unit_test(ed25519_holds_as_in_rfc_8037_a_4),
		cmocka_unit_test(weak_keys_are_none),
	};
	return cmocka_run_group_tests(tests, NULL, forget);
}
